import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { form } from './workspace-client.ts'

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
  async function ask(path: string, init: RequestInit): Promise<{ status: number; json: Answer } | undefined> {
    const all = bases()
    const base = all[Math.floor(Math.random() * all.length)] ?? ''
    let answer: Response
    let json: Answer
    try {
      const headers = { 'x-api-key': key, ...(init.headers as Record<string, string> | undefined) }
      answer = await fetch(base + path, { ...init, headers, signal: AbortSignal.timeout(SILENCE_MS) })
      json = (await answer.json()) as Answer
    } catch {
      count('cut')
      await pause(50)
      return undefined
    }
    count(String(answer.status))
    if (answer.status !== 503) return { status: answer.status, json }
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/, 'a 503 has Retry-After')
    assert.equal(typeof json['request_id'], 'string')
    await pause(100)
    return undefined
  }

  async function create(): Promise<string> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    const body = JSON.stringify({ label: 'chaos' })
    const { status, json } = await insist(() => ask('/v1/submissions', { method: 'POST', headers, body }))
    assert.equal(status, 201, JSON.stringify(json))
    return String(json['submission_id'])
  }

  /** An upload whose response was lost may have been accepted: checks before it retries. */
  async function upload(id: string, content: string): Promise<void> {
    await insist(async () => {
      const body = form({ 'evidence.txt': content })
      const answer = await ask(`/v1/submissions/${id}/evidence`, { method: 'POST', body })
      if (answer?.status === 202) return true
      if (answer !== undefined) {
        // Only possible if an earlier attempt was accepted or is in progress.
        const codes = ['submission_sealed', 'upload_in_progress']
        assert.ok(
          answer.status === 409 && codes.includes(String(answer.json['code'])),
          JSON.stringify(answer.json),
        )
      }
      const found = await insist(() => ask(`/v1/submissions/${id}`, {}))
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

type Answer = Readonly<Record<string, unknown>>

async function insist<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const answer = await ask()
    if (answer !== undefined) return answer
  }
  throw new Error(`no node answered in ${MOST_TRIES} tries`)
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))
