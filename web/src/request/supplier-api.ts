import type { EvidenceRequest, Submission } from '@kitseal/client'
import { fetchJson } from '../fetch-json.ts'

export type Item = EvidenceRequest['items'][number]
export type ItemFile = Item['files'][number]

/** A request as its supplier sees it. */
export interface SupplierView extends Pick<
  EvidenceRequest,
  'title' | 'message' | 'status' | 'due_at' | 'round' | 'progress' | 'items' | 'other_files' | 'kit_id'
> {
  /** The name of the workspace that asks. */
  readonly requester: string
  readonly submission: {
    readonly submission_id: string
    readonly status: Submission['status']
    readonly draft: boolean
    readonly findings: Submission['findings']
  } | null
  /** The person in this browser. */
  readonly sender: {
    /** Whether the service sends mail. */
    readonly mails: boolean
    readonly recipient: string | null
    readonly name: string | null
    readonly code: { readonly address: string; readonly mail: 'queued' | 'sent' | 'failed' } | null
    readonly confirmed: string | null
    readonly seals_address: boolean
    readonly wants_copy: boolean
    readonly copy_to: string | null
  }
  readonly limits: {
    readonly upload_limit_bytes: number
    readonly unpacked_files: number
    readonly unpacked_limit_bytes: number
    readonly unpacked_ratio: number
  }
}

/** What the person says before submitting. */
export interface Said {
  readonly name: string
  readonly seal_address: boolean
  readonly mail_copy: boolean
}

/** The routes below the link. */
export function supplierApi(base: string) {
  const ask = (path: string, init?: RequestInit) => fetchJson<SupplierView>(`${base}${path}`, init)
  const send = (method: 'POST' | 'PUT', path: string, body: object) =>
    ask(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const post = (itemId: string, what: string, body: object) =>
    send('POST', `/items/${encodeURIComponent(itemId)}/${what}`, body)
  return {
    base,
    show: () => ask('/request'),
    startDraft: () => ask('/draft', { method: 'POST' }),
    removeFile: async (position: number) => {
      await ask(`/files/${position}`, { method: 'DELETE' })
      return ask('/request')
    },
    saySender: ({ name, ...ticks }: Said) =>
      send('PUT', '/sender', { name: name.trim() === '' ? null : name.trim(), ...ticks }),
    sendCode: (address: string) => send('POST', '/sender/code', { address }),
    confirmCode: (code: string) => send('POST', '/sender/confirm', { code }),
    comment: (itemId: string, comment: string) => post(itemId, 'comments', { comment }),
    /** Null takes it back. */
    notApplicable: (itemId: string, reason: string | null) =>
      post(itemId, 'answer', { not_applicable: reason }),
  }
}

export type SupplierApi = ReturnType<typeof supplierApi>
