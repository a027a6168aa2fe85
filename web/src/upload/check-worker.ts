import { type RandomAccess, type SubmissionProvenance, type Trust, webHost } from '@kitseal/kit/internal'
import {
  checkFiles,
  type ConfirmedFile,
  type EvidencePolicy,
  type FindingRecord,
  type ItemReport,
  memoryPlatform,
  parseProfile,
  type Platform,
  type Profile,
} from '@kitseal/examiner'

/** A chosen file with its upload name: its path, including the dropped folder. */
export interface ChosenFile {
  readonly name: string
  readonly file: File
}

export interface CheckOrder {
  readonly limits: {
    readonly entries: number
    readonly unpackedBytes: number
    readonly ratio: number
  }
  /** The profile as JSON. */
  readonly profile: string | undefined
  readonly now: string
  /** Files that the user says are for an item of the profile. */
  readonly confirmed?: readonly ConfirmedFile[] | undefined
  /** What the user states about where the evidence came from. */
  readonly provenance?: SubmissionProvenance | undefined
  /** The keys that kits among the files are verified with. */
  readonly trust?: Trust | undefined
  /** What the plan asks beyond the rules. */
  readonly policy?: EvidencePolicy | undefined
}

/** Files come first, in parts: copying thousands of file handles at once would block the page. */
export type CheckMessage =
  | { readonly is: 'files'; readonly files: readonly ChosenFile[] }
  | ({ readonly is: 'check' } & CheckOrder)

export type CheckReply =
  | { readonly is: 'progress'; readonly readBytes: number }
  | ({ readonly is: 'done' } & Checked)
  | { readonly is: 'failed'; readonly message: string }

export interface Checked {
  readonly findings: readonly FindingRecord[]
  /** The items of the profile, with their files. */
  readonly items: readonly ItemReport[]
}

const PROGRESS_EVERY_MS = 200

const files: ChosenFile[] = []
let readBytes = 0
let reportedAt = 0

addEventListener('message', ({ data }: MessageEvent<CheckMessage>) => {
  if (data.is === 'files') {
    files.push(...data.files)
    return
  }
  check(data).then(
    (checked) => postMessage({ is: 'done', ...checked } satisfies CheckReply),
    (error: unknown) => postMessage({ is: 'failed', message: String(error) } satisfies CheckReply),
  )
})

/** Applies the service's rules to files that are not uploaded yet. */
async function check({ profile, limits, ...order }: CheckOrder): Promise<Checked> {
  const parsed = profile === undefined ? undefined : readProfile(profile)
  const platform = { ...memoryPlatform(webHost), store: storeAsBlob }
  const result = await checkFiles(platform, {
    files: files.map(({ name, file }) => ({ name, source: blobSource(file) })),
    limits: { ...limits, nesting: 2, blockers: 500 },
    ...order,
    ...(parsed === undefined ? {} : { profile: parsed }),
  })
  return { findings: result.findings, items: result.profile.items }
}

function readProfile(json: string): Profile {
  const parsed = parseProfile(new TextEncoder().encode(json))
  if (!parsed.ok) throw new Error(parsed.problems.join('; '))
  return parsed.value
}

function blobSource(blob: Blob): RandomAccess {
  return {
    sizeBytes: blob.size,
    read: async (offset, length) => {
      const bytes = new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer())
      reportProgress(bytes.length)
      return bytes
    },
  }
}

function reportProgress(bytes: number): void {
  readBytes += bytes
  if (performance.now() - reportedAt < PROGRESS_EVERY_MS) return
  reportedAt = performance.now()
  postMessage({ is: 'progress', readBytes } satisfies CheckReply)
}

const PART_BYTES = 8 * 1024 * 1024

/** Stores unpacked content in a blob, which the browser moves to the disk if it is large. */
const storeAsBlob: Platform['store'] = async (content) => {
  const stored: Blob[] = []
  let parts: Uint8Array<ArrayBuffer>[] = []
  let partBytes = 0
  const storePart = (): void => {
    stored.push(new Blob(parts))
    parts = []
    partBytes = 0
  }
  for await (const bytes of content) {
    parts.push(new Uint8Array(bytes))
    partBytes += bytes.length
    if (partBytes >= PART_BYTES) storePart()
  }
  storePart()
  const whole = new Blob(stored)
  const read = async (offset: number, length: number): Promise<Uint8Array> =>
    new Uint8Array(await whole.slice(offset, offset + length).arrayBuffer())
  return { object: 'blob', source: { sizeBytes: whole.size, read }, discard: async () => undefined }
}
