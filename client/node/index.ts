import { randomUUID } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename } from 'node:path'
import { NO_TRUST, type Trust } from '@kitseal/kit'
import { base64url, utf8 } from '@kitseal/kit/internal'
import { listFolder, measureFiles } from '@kitseal/kit/internal/node'
import { nodeHost, openKit } from '@kitseal/kit/node'
import type { Submission } from '../src/api-types.generated.ts'
import type { Body, CallOptions } from '../src/call.ts'
import type { Client } from '../src/client.ts'
import type { KitSink, Progress, VerifiedKit } from '../src/download.ts'
import { ApiError } from '../src/errors.ts'
import type { Evidence } from '../src/multipart.ts'
import type { UploadProgress } from '../src/upload-evidence.ts'
import { NotSealedError, type SubmissionState, type Waiting } from '../src/wait-for-result.ts'

export interface SealOptions extends Omit<Body<'createSubmission'>, 'label' | 'job_id'> {
  readonly client: Client
  /** What the evidence is about. Reviewers see it. */
  readonly name: string
  /** The keys you trust: key IDs in `kids`, or what `trustKeys` returns. The keys inside the kit are never trusted. */
  readonly trust: Partial<Trust>
  /** Where the verified kit is saved. Default: `KIT_ID.zip` in the current folder. */
  readonly into?: string
  /** How long to wait for the kit. Throws `WaitTimeout` after it. Default: 10 minutes. */
  readonly timeoutMs?: number
  readonly onProgress?: (progress: SealProgress) => void
  readonly signal?: AbortSignal
}

/** How far `seal` is, and what it waits for. */
export type SealProgress = { readonly submissionId: string } & (
  | ({ readonly step: 'upload' } & UploadProgress)
  | { readonly step: 'wait'; readonly status: Submission['status']; readonly waiting: Waiting | null }
  | ({ readonly step: 'download' } & Progress)
)

/** A kit that was sealed, verified with your trust, and saved. */
export interface SealedKit extends VerifiedKit<string> {
  readonly submissionId: string
  /** What was noticed in the evidence and did not block the kit. */
  readonly findings: Submission['findings']
}

/**
 * Seals the files in a folder: uploads them, waits for the kit, downloads it, verifies it with your trust, and saves it.
 *
 * Throws `NotSealedError` with the blockers if the evidence fails its checks, `NotVerifiedError` if the kit is not signed by a key
 * that you trust, and `WaitTimeout` with what the submission waits for. From the moment there is a submission, every error has
 * its `submissionId`. The same call with the same files continues where an earlier one stopped, for a day: it neither uploads
 * what is there nor makes a second kit.
 *
 * @example
 * ```ts
 * import { createClient, trustKeys } from '@kitseal/client'
 * import { seal } from '@kitseal/client/node'
 *
 * const client = createClient({ baseUrl: 'https://kitseal.example', apiKey: process.env.KITSEAL_API_KEY })
 * const trust = trustKeys(await client.getKeys())
 * const kit = await seal('evidence', { client, name: 'Access review, third quarter', trust, into: 'sealed.zip' })
 * console.log(kit.kitId, kit.saved, kit.report.signer.kid)
 * ```
 */
export async function seal(folder: string, options: SealOptions): Promise<SealedKit> {
  const { client, name, timeoutMs, signal, onProgress, ...rest } = options
  const { trust: given, into, ...attributes } = rest
  const trust = { ...NO_TRUST, ...given }
  // Before anything is sent, because a kit costs a credit.
  if (trust.kids.length + trust.keySets.length + trust.pins.length === 0)
    throw new TypeError('`trust` names no key, so no kit could be verified. Set `kids`, or use `trustKeys`.')
  const files = filesIn(folder)
  const sink = fileSink(into ?? `seal-${randomUUID()}.zip`)
  let submissionId: string | undefined
  try {
    const measured = await measureFiles(files, ['sha256'])
    if (!measured.ok) throw new Error(measured.problems.join('; '))
    const opened = await openSubmission(
      client,
      { label: name, ...attributes },
      measured.files.map(({ path, sha256 }) => [path, sha256]),
      // An earlier one that ended without a kit.
      ({ status }) => status === 'FAIL' || status === 'EXPIRED',
      { signal },
    )
    const id = (submissionId = opened.submission_id)
    if (opened.status === 'PENDING')
      await client
        .uploadEvidence(id, files.map(toEvidence), {
          signal,
          resume: true,
          onProgress: (progress) => onProgress?.({ submissionId: id, step: 'upload', ...progress }),
        })
        .catch((error: unknown) => {
          // The same call, running at the same time, was faster.
          if (!(error instanceof ApiError) || error.code !== 'submission_submitted') throw error
        })
    const onStatus = ({ status, waiting }: Pick<Submission, 'status' | 'waiting'>): void =>
      onProgress?.({ submissionId: id, step: 'wait', status, waiting })
    let status: Submission['status'] = 'PENDING'
    const ended = await client.waitForResult(id, {
      signal,
      timeoutMs,
      onStatus: (now) => {
        status = now.status
        onStatus(now)
      },
      onWaiting: (waiting) => onStatus({ status, waiting }),
    })
    if (ended.status !== 'PASS') throw new NotSealedError(ended)
    const kit = await client.downloadKit(ended.kit_id, {
      trust,
      signal,
      into: sink,
      onProgress: (progress) => onProgress?.({ submissionId: id, step: 'download', ...progress }),
    })
    const saved = into ?? `${ended.kit_id}.zip`
    if (into === undefined) renameSync(kit.saved, saved)
    return { ...kit, saved, submissionId: id, findings: ended.findings }
  } catch (error) {
    await sink.discard()
    throw error instanceof Error && submissionId !== undefined
      ? Object.assign(error, { submissionId })
      : error
  }
}

/**
 * Creates a submission. For a day, the same call with the same `contents`, which say what the files are, returns the same one,
 * so that an interrupted upload continues, unless `isOver`: then it creates another.
 */
export async function openSubmission(
  client: Client,
  body: Body<'createSubmission'>,
  contents: unknown,
  isOver: (submission: SubmissionState) => boolean,
  { signal }: CallOptions = {},
): Promise<SubmissionState> {
  const identity = base64url(nodeHost.digest(utf8(JSON.stringify([body, contents]))))
  for (let number = 1; ; number += 1) {
    const headers = { 'idempotency-key': `submission-${identity}-${number}` }
    const { submission_id } = await client.createSubmission(body, { signal, headers })
    const submission = await client.getSubmission(submission_id, { signal }).catch((error: unknown) => {
      // It was deleted.
      if (!(error instanceof ApiError) || error.status !== 404) throw error
    })
    if (submission !== undefined && !isOver(submission)) return submission
  }
}

/** All files in a folder and the folders in it, by their paths below it. */
function filesIn(folder: string): readonly ListedFile[] {
  // A folder that cannot be read is named by the error.
  readdirSync(folder)
  const { files, others } = listFolder(folder)
  const problems = others.map(({ path, problem }) => `${path} ${problem.text}`)
  if (files.length + problems.length === 0) problems.push('there is no file in it')
  if (problems.length > 0) throw new Error(`cannot seal ${folder}: ${problems.join('; ')}`)
  return files
}

type ListedFile = ReturnType<typeof listFolder>['files'][number]

const toEvidence = ({ path, diskPath }: ListedFile): Evidence => evidenceFile(diskPath, path)

const CHUNK_BYTES = 256 * 1024

/**
 * A file on disk as evidence. It is streamed during the upload, never read into memory as a whole.
 *
 * @example
 * ```ts
 * import { createClient } from '@kitseal/client'
 * import { evidenceFile } from '@kitseal/client/node'
 *
 * const client = createClient({ baseUrl: 'https://kitseal.example', apiKey: process.env.KITSEAL_API_KEY })
 * const { submission_id } = await client.createSubmission({ label: 'Access review' })
 * await client.uploadEvidence(submission_id, [evidenceFile('evidence/users.csv')])
 * ```
 */
export function evidenceFile(path: string, name: string = basename(path)): Evidence {
  const { size, mtimeMs } = statSync(path)
  const readFrom = (start: number) => createReadStream(path, { start, highWaterMark: CHUNK_BYTES })
  return { name, sizeBytes: size, read: () => readFrom(0), readFrom, resumeKey: `modified ${mtimeMs}` }
}

/**
 * Downloads into a file. It is written under a temporary name and renamed once it is complete and, if it is a kit,
 * verified.
 *
 * @example
 * ```ts
 * import { createClient, trustKeys } from '@kitseal/client'
 * import { fileSink } from '@kitseal/client/node'
 *
 * const client = createClient({ baseUrl: 'https://kitseal.example' })
 * const trust = trustKeys(await client.getKeys())
 * await client.downloadKit(process.env.KIT_ID ?? '', { trust, into: fileSink('downloaded.zip') })
 * ```
 */
export function fileSink(path: string): KitSink<string> {
  const temporary = `${path}.${process.pid}.part`
  // Opened before the download starts, so that an unwritable folder fails early.
  const file = openSync(temporary, 'wx', 0o600)
  let position = 0
  let isOpen = true
  const close = (): void => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  return {
    host: nodeHost,
    write(bytes) {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, position + at)
      position += bytes.length
    },
    reset() {
      ftruncateSync(file, 0)
      position = 0
    },
    async open() {
      const kit = await openKit(temporary)
      return { ...kit, close: () => kit[Symbol.dispose]() }
    },
    commit() {
      fsyncSync(file)
      close()
      renameSync(temporary, path)
      return path
    },
    discard() {
      close()
      rmSync(temporary, { force: true })
    },
  }
}
