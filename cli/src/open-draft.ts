import { createHash } from 'node:crypto'
import { ApiError, type Client, ONE_REQUEST_BYTES, type Submission } from '@kitseal/client'
import type { GatheredFile } from './gather-evidence.ts'
import type { ServiceCall } from './service-call.ts'

type Members = Parameters<Client['createSubmission']>[0]

/** The draft that evidence is uploaded to. */
export interface Draft {
  readonly submission: Submission
  /** Whether the same command finds it again, for a day. */
  readonly canContinue: boolean
  readonly isContinued: boolean
}

/**
 * Creates the draft, or finds that of an interrupted run of the same command with the same files, on this machine or another:
 * the Idempotency-Key is made from what is submitted. A draft that was submitted meanwhile is left alone, and the next number
 * is taken.
 */
export async function openDraft(
  { client, signal }: Pick<ServiceCall, 'client' | 'signal'>,
  members: Members,
  files: readonly GatheredFile[],
): Promise<Draft> {
  if (files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) <= ONE_REQUEST_BYTES) {
    const submission = await client.createSubmission(members, { signal })
    return { submission, canContinue: false, isContinued: false }
  }
  const contents = files.map(({ name, sizeBytes, resumeKey }) => [name, sizeBytes, resumeKey])
  const identity = createHash('sha256')
    .update(JSON.stringify([members, contents]))
    .digest('base64url')
  for (let number = 1; ; number += 1) {
    const headers = { 'idempotency-key': `submit-${identity}-${number}` }
    const { submission_id: id } = await client.createSubmission(members, { signal, headers })
    const submission = await found(client.getSubmission(id, { signal }))
    if (submission?.status !== 'PENDING') continue
    const uploads = await client.listUploads(id, { signal })
    const isContinued = submission.evidence.length + uploads.data.length > 0
    return { submission, canContinue: true, isContinued }
  }
}

/** Undefined if it was deleted. */
const found = (asked: Promise<Submission>): Promise<Submission | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  })
