import assert from 'node:assert/strict'
import type { TestService } from './service.ts'
import { form } from './workspace.ts'
import { pauseAfter } from './until.ts'

export interface Answer {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
  readonly bytes: Buffer
  readonly headers: Headers
}

interface Item {
  readonly id: string
  readonly status: string
  readonly files: readonly { readonly position: number; readonly name: string }[]
  readonly comments: readonly { readonly by: string; readonly text: string }[]
}

/** Someone with the link of a request, and nothing else. */
export function supplierClient({ base }: Pick<TestService, 'base'>, url: string) {
  const { pathname } = new URL(url)
  const call = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(`${base}${pathname}${path}`, init)
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    const json = isJson && bytes.length > 0 ? (JSON.parse(bytes.toString()) as Answer['json']) : {}
    return { status: response.status, json, bytes, headers: response.headers }
  }
  const post = (path: string, body: object): Promise<Answer> =>
    call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const show = (): Promise<Answer> => call('/request')
  return {
    pathname,
    call,
    post,
    show,
    items: async (): Promise<readonly Item[]> => (await show()).json['items'] as readonly Item[],
    draft: async (): Promise<string> => {
      const started = await call('/draft', { method: 'POST' })
      assert.equal(started.status, 201, started.bytes.toString())
      return submissionId(started)
    },
    upload: (
      id: string,
      files: Readonly<Record<string, string | Uint8Array>>,
      fields: object = { final: false },
    ): Promise<Answer> =>
      call(`/v1/submissions/${id}/evidence`, { method: 'POST', body: form(files, fields) }),
    /** Hands the draft over and waits until it is checked. */
    submit: async (id: string): Promise<string> => {
      const sealed = await call(`/v1/submissions/${id}/evidence`, {
        method: 'POST',
        body: form({}, { final: true }),
      })
      assert.equal(sealed.status, 202, sealed.bytes.toString())
      for (let looks = 0; ; looks++) {
        const { json } = await call(`/v1/submissions/${id}`)
        if (json['status'] === 'PASS' || json['status'] === 'FAIL') return String(json['status'])
        await pauseAfter(looks)
      }
    },
  }
}

const submissionId = ({ json }: Answer): string =>
  (json['submission'] as { readonly submission_id: string }).submission_id
