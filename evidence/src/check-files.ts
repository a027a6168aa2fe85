import type { JsonValue, RandomAccess } from '@kitseal/kit'
import { examineFiles } from './examine-files.ts'
import { DEFAULT_LIMITS, type EvidenceLimits } from './limits.ts'
import { DEFAULT_PROFILE, type Profile } from './profile.ts'
import { classificationReport, intakeReport } from './reports.ts'
import type { Blocker } from './rules.ts'
import { copyOf, type Surroundings } from './surroundings.ts'

export interface FilesToCheck {
  readonly files: readonly { readonly name: string; readonly source: RandomAccess }[]
  readonly limits?: EvidenceLimits
  readonly profile?: Profile
  readonly now: string
}

export interface CheckResult {
  readonly blockers: readonly Blocker[]
  readonly intakeReport: JsonValue
  readonly classificationReport: JsonValue
}

/** The rules of the service on files that nobody has sent yet: same files, same blockers. Keeps nothing. */
export async function checkFiles(surroundings: Surroundings, input: FilesToCheck): Promise<CheckResult> {
  const order = {
    limits: DEFAULT_LIMITS,
    profile: DEFAULT_PROFILE,
    ...input,
    files: input.files.map(({ name, source }, index) => ({
      name: name.toWellFormed(),
      source: lasting(source),
      object: `supplied ${index}`,
    })),
    packLabel: 'kitseal check',
  }
  const examined = await examineFiles(surroundings, order)
  await examined.pack?.discard()
  return {
    blockers: examined.blockers,
    intakeReport: intakeReport(order, examined),
    classificationReport: classificationReport(examined),
  }
}

/** Several readers look at one source in turn, so what one was given has to outlive the next one's read. */
function lasting(source: RandomAccess): RandomAccess {
  return {
    sizeBytes: source.sizeBytes,
    read: async (offset, length) => copyOf(await source.read(offset, length)),
  }
}
