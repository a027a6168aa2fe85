import { type RandomAccess, type Trust, webHost } from '@kitseal/kit'
import {
  checkFiles,
  type EvidencePolicy,
  type FindingRecord,
  memoryPlatform,
  parseProfile,
  type Profile,
} from '@kitseal/evidence'
import type { ChosenFile } from './chosen-files.ts'

export interface CheckOrder {
  readonly limits: {
    readonly entries: number
    readonly unpackedBytes: number
    readonly ratio: number
  }
  /** The profile as JSON. */
  readonly profile: string | undefined
  readonly now: string
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
  | { readonly is: 'done'; readonly findings: readonly FindingRecord[] }
  | { readonly is: 'failed'; readonly message: string }

const files: ChosenFile[] = []

addEventListener('message', ({ data }: MessageEvent<CheckMessage>) => {
  if (data.is === 'files') {
    files.push(...data.files)
    return
  }
  check(data).then(
    (findings) => postMessage({ is: 'done', findings } satisfies CheckReply),
    (error: unknown) => postMessage({ is: 'failed', message: String(error) } satisfies CheckReply),
  )
})

/** Applies the service's rules to files that are not uploaded yet. */
async function check({ limits, profile, now, trust, policy }: CheckOrder): Promise<readonly FindingRecord[]> {
  const parsed = profile === undefined ? undefined : readProfile(profile)
  const result = await checkFiles(memoryPlatform(webHost), {
    files: files.map(({ name, file }) => ({ name, source: blobSource(file) })),
    limits: { ...limits, nesting: 2, blockers: 500 },
    now,
    trust,
    policy,
    ...(parsed === undefined ? {} : { profile: parsed }),
  })
  return result.findings
}

function readProfile(json: string): Profile {
  const parsed = parseProfile(new TextEncoder().encode(json))
  if (!parsed.ok) throw new Error(parsed.problems.join('; '))
  return parsed.value
}

function blobSource(blob: Blob): RandomAccess {
  return {
    sizeBytes: blob.size,
    read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  }
}
