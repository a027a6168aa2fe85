import type { JsonValue, RandomAccess, SubmissionProvenance, Trust } from '@kitseal/kit/internal'
import { examineFiles } from './examine-files.ts'
import { DEFAULT_LIMITS, type EvidenceLimits } from './limits.ts'
import type { SuppliedFile } from './plan/plan-files.ts'
import type { Platform } from './platform/platform.ts'
import { copyOf } from './platform/sources.ts'
import type { EvidencePolicy } from './policy.ts'
import type { ConfirmedFile, ProfileReport } from './profile/match-profile.ts'
import { DEFAULT_PROFILE, type Profile } from './profile/profile.ts'
import type { RecognisedOutput } from './recognise/recognise.ts'
import { classificationReport, intakeReport } from './reports.ts'
import type { Blocker, FindingRecord } from './findings.ts'

export interface FilesToCheck {
  readonly files: readonly Pick<SuppliedFile, 'name' | 'source' | 'readAhead'>[]
  readonly limits?: EvidenceLimits
  readonly profile?: Profile
  readonly now: string
  /** The codes of findings that the supplier acknowledges. */
  readonly accept?: readonly string[]
  /** Files that a person says are for an item of the profile. */
  readonly confirmed?: readonly ConfirmedFile[] | undefined
  /** What the supplier states about where the evidence came from. */
  readonly provenance?: SubmissionProvenance | undefined
  /** The keys that kits in the evidence are verified with. */
  readonly trust?: Trust | undefined
  /** What the plan asks beyond the rules. */
  readonly policy?: EvidencePolicy | undefined
}

export interface CheckResult {
  readonly blockers: readonly Blocker[]
  readonly findings: readonly FindingRecord[]
  readonly profile: ProfileReport
  /** What the output of known tools says about itself. */
  readonly recognised: readonly RecognisedFile[]
  readonly intakeReport: JsonValue
  readonly classificationReport: JsonValue
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
    intakeReport: intakeReport(files, examined),
    classificationReport: classificationReport(examined),
  }
}

/** A source may reuse its buffer, but what is read from it must stay valid. */
function copied(source: RandomAccess): RandomAccess {
  return {
    sizeBytes: source.sizeBytes,
    read: async (offset, length) => copyOf(await source.read(offset, length)),
  }
}
