import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { form } from '../../test/kit/workspace.ts'

/** A client that knows several nodes and tries another when one does not respond. */
export interface ChaosClient {
  /** Creates a submission and uploads to it, with retries; returns the id of the acknowledged submission. */
  submit(content: string): Promise<string>
  /** How often each status was seen; `cut` counts broken and silent connections. */
  readonly seen: ReadonlyMap<string, number>
}

const SILENCE_MS = 6000
const MOST_TRIES = 400

export function chaosClient(bases: () => readonly string[], key: string): ChaosClient {
  const seen = new Map<string, number>()
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1)

  /** One response, or `undefined` for 503 and broken connections. */
  async function send(path: string, init: RequestInit): Promise<{ status: number; json: Json } | undefined> {
    const all = bases()
    const base = all[Math.floor(Math.random() * all.length)] ?? ''
    let response: Response
    let json: Json
    try {
      const headers = { 'x-api-key': key, ...(init.headers as Record<string, string> | undefined) }
      response = await fetch(base + path, { ...init, headers, signal: AbortSignal.timeout(SILENCE_MS) })
      json = (await response.json()) as Json
    } catch {
      count('cut')
      await pause(50)
      return undefined
    }
    count(String(response.status))
    if (response.status !== 503) return { status: response.status, json }
    assert.match(response.headers.get('retry-after') ?? '', /^\d+$/, 'a 503 has Retry-After')
    assert.equal(typeof json['request_id'], 'string')
    await pause(100)
    return undefined
  }

  async function create(): Promise<string> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    const body = JSON.stringify({ label: 'chaos' })
    const { status, json } = await retry(() => send('/v1/submissions', { method: 'POST', headers, body }))
    assert.equal(status, 201, JSON.stringify(json))
    return String(json['submission_id'])
  }

  /** An upload whose response was lost may have been accepted: checks before it retries. */
  async function upload(id: string, content: string): Promise<void> {
    await retry(async () => {
      const body = form({ 'evidence.txt': content })
      const response = await send(`/v1/submissions/${id}/evidence`, { method: 'POST', body })
      if (response?.status === 202) return true
      if (response !== undefined) {
        // Only possible if an earlier attempt was accepted or is in progress.
        const codes = ['submission_submitted', 'upload_in_progress']
        assert.ok(
          response.status === 409 && codes.includes(String(response.json['code'])),
          JSON.stringify(response.json),
        )
      }
      const found = await retry(() => send(`/v1/submissions/${id}`, {}))
      return (found.json['evidence'] as unknown[]).length > 0 ? true : undefined
    })
  }

  return {
    seen,
    submit: async (content) => {
      const id = await create()
      await upload(id, content)
      return id
    },
  }
}

type Json = Readonly<Record<string, unknown>>

async function retry<T>(send: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const response = await send()
    if (response !== undefined) return response
  }
  throw new Error(`no node answered in ${MOST_TRIES} tries`)
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))
