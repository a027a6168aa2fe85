import type { JsonValue } from '@kitseal/kit'
import { examineFiles, type FilesToExamine } from '@kitseal/evidence'
import type { EvidenceLimits } from '@kitseal/evidence'
import { type EvidenceContext, objectSource, objectSurroundings } from './object-surroundings.ts'
import type { Profile } from '@kitseal/evidence'
import { classificationReport, intakeReport } from '@kitseal/evidence'
import type { Blocker } from '@kitseal/evidence'

/** An object in the store, named by its SHA-256, and its name as the client sent it. */
export interface SuppliedFile {
  readonly name: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly crc32: number
}

export interface ExamineInput {
  readonly files: readonly SuppliedFile[]
  readonly limits: EvidenceLimits
  readonly profile: Profile
  /** RFC 3339. */
  readonly now: string
  /**
   * Names the submission. The pack of unpacked content begins with it, so that it is this submission's own object and can
   * be deleted without regard to others; a second try makes the same one.
   */
  readonly packId: string
}

export interface EvidenceFile {
  /** data/… */
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly crc32: number
  /** The bytes lie at `offset` of this object: an uploaded one, or the pack. */
  readonly object: string
  readonly offset: number
  readonly mediaType: string
  readonly from: string
}

export interface Examination {
  readonly blockers: readonly Blocker[]
  /** Empty where there is a blocker. */
  readonly files: readonly EvidenceFile[]
  /** The object that was made for unpacked content, where there is one. It is gone already where there is a blocker. */
  readonly pack: string | undefined
  readonly intakeReport: JsonValue
  readonly classificationReport: JsonValue
}

/** Examines what was supplied with a submission, and unpacks it into the store. */
export async function examineEvidence(ctx: EvidenceContext, input: ExamineInput): Promise<Examination> {
  const order: FilesToExamine = {
    files: input.files.map((file) => ({
      name: file.name.toWellFormed(),
      source: objectSource(ctx.objects, file.sha256, file.sizeBytes),
      object: file.sha256,
      sha256: file.sha256,
      crc32: file.crc32,
    })),
    limits: input.limits,
    profile: input.profile,
    now: input.now,
    packLabel: `kitseal evidence pack ${input.packId}`,
  }
  const examined = await examineFiles(objectSurroundings(ctx), order)
  const reports = {
    intakeReport: intakeReport(order, examined),
    classificationReport: classificationReport(examined),
  }
  if (examined.blockers.length > 0) {
    await examined.pack?.discard()
    return { blockers: examined.blockers, files: [], pack: undefined, ...reports }
  }
  const files = examined.files.map(({ path, sha256, sizeBytes, crc32, object, offset, type, from }) => {
    if (type === undefined) throw new Error(`${path} passed without a type`)
    return { path, sha256, sizeBytes, crc32, object, offset, mediaType: type.mediaType, from }
  })
  return { blockers: [], files, pack: examined.pack?.object, ...reports }
}
