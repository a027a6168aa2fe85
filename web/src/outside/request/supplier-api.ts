import { ApiError, type EvidenceRequest, type Submission } from '@kitseal/client'
import { messageOf, fetchJson, sendJson } from '../../core/fetch-json.ts'
import { known } from '../../core/texts.ts'

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
  readonly limits: {
    readonly upload_limit_bytes: number
    readonly unpacked_files: number
    readonly unpacked_limit_bytes: number
    readonly unpacked_ratio: number
  }
}

/** The routes below the link. */
export function supplierApi(base: string) {
  const ask = (path: string, init?: RequestInit) => fetchJson<SupplierView>(`${base}${path}`, init)
  const send = (method: 'POST' | 'PUT', path: string, body: object) =>
    sendJson<SupplierView>(method, base + path, body)
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
    nameSender: (name: string) => send('PUT', '/sender', { name: name.trim() === '' ? null : name.trim() }),
    comment: (itemId: string, comment: string) => post(itemId, 'comments', { comment }),
    /** Null takes it back. */
    notApplicable: (itemId: string, reason: string | null) =>
      post(itemId, 'answer', { not_applicable: reason }),
  }
}

export type SupplierApi = ReturnType<typeof supplierApi>

/** Why something failed, in the words of someone who has no workspace. */
export const supplierMessageOf = (error: unknown): string =>
  (error instanceof ApiError ? known(`request.problems.${error.code}`, error.args) : undefined) ??
  messageOf(error)
