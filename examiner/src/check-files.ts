import type { RandomAccess } from '@kitseal/kit/internal'
import { examineFiles, type FilesToExamine } from './examine-files.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { SuppliedFile } from './plan/plan-files.ts'
import type { Platform } from './platform/platform.ts'
import { copyOf } from './platform/sources.ts'
import type { ProfileReport } from './profile/match-profile.ts'
import { DEFAULT_PROFILE } from './profile/profile.ts'
import type { RecognisedOutput } from './recognise/recognise.ts'
import type { Blocker, FindingRecord } from './findings.ts'

/** What is not given is as for any evidence. */
export type FilesToCheck = Pick<FilesToExamine, 'now'> &
  Partial<Omit<FilesToExamine, 'files'>> & {
    readonly files: readonly Pick<SuppliedFile, 'name' | 'source' | 'readAhead'>[]
  }

export interface CheckResult {
  readonly blockers: readonly Blocker[]
  readonly findings: readonly FindingRecord[]
  readonly profile: ProfileReport
  /** What the output of known tools says about itself. */
  readonly recognised: readonly RecognisedFile[]
}

export interface RecognisedFile extends RecognisedOutput {
  /** As the supplier knows it. */
  readonly path: string
}

/** Checks files before they are uploaded, by the rules of the service. Keeps nothing. */
export async function checkFiles(platform: Platform, input: FilesToCheck): Promise<CheckResult> {
  const files = {
    limits: DEFAULT_LIMITS,
    profile: DEFAULT_PROFILE,
    accept: [],
    isHashed: false,
    ...input,
    files: input.files.map(({ name, source, readAhead }, index) => ({
      name: name.toWellFormed(),
      source: copied(source),
      object: `supplied ${index}`,
      readAhead,
    })),
  }
  const examined = await examineFiles(platform, files)
  await examined.pack?.discard()
  return {
    blockers: examined.blockers,
    findings: examined.findings,
    profile: examined.profile,
    recognised: examined.files.flatMap(({ displayPath, recognised }) =>
      recognised === undefined ? [] : [{ path: displayPath, ...recognised }],
    ),
  }
}

/** A source may reuse its buffer, but what is read from it must stay valid. */
function copied(source: RandomAccess): RandomAccess {
  return {
    sizeBytes: source.sizeBytes,
    read: async (offset, length) => copyOf(await source.read(offset, length)),
  }
}
