import {
  type Blocker,
  classificationReport,
  examineFiles,
  type FilesToExamine,
  type FindingRecord,
  intakeReport,
  type Platform,
  type RecognisedOutput,
  type Scanner,
} from '@kitseal/examiner'
import type { RandomAccess } from '@kitseal/kit'
import type { JsonValue } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { KitEntry } from '../database/schema.ts'
import { blockReads, randomAccess, type Reads } from '../objects/block-reads.ts'
import type { ObjectStore, StoredObject, StoredRange } from '../objects/object-store.ts'

/** An uploaded file, with the name that the client sent. */
interface SuppliedFile extends StoredRange {
  readonly name: string
  readonly sha256: string
  readonly crc32: number
}

export interface ExamineInput extends Omit<FilesToExamine, 'files'> {
  readonly files: readonly SuppliedFile[]
}

/** A file in data/, stored in an upload or in the pack. */
interface EvidenceFile extends KitEntry {
  readonly mediaType: string
  readonly from: string
  /** What the output of a known tool says about itself. */
  readonly recognised?: RecognisedOutput | undefined
}

export interface Examination {
  readonly blockers: readonly Blocker[]
  readonly findings: readonly FindingRecord[]
  /** Empty if there are blockers. */
  readonly files: readonly EvidenceFile[]
  /** The object with the unpacked content, if any. Already deleted if there are blockers. */
  readonly pack: StoredObject | undefined
  readonly intakeReport: JsonValue
  readonly classificationReport: JsonValue
}

/** Examines the files of a submission and unpacks them into the object store. */
export async function examineEvidence(ctx: EvidenceContext, input: ExamineInput): Promise<Examination> {
  const toExamine: FilesToExamine = {
    ...input,
    // The position says which file it is: several are in one object.
    files: input.files.map((file, position) => ({
      name: file.name.toWellFormed(),
      source: objectSource(ctx.objects, file),
      object: `${position}`,
      sha256: file.sha256,
      crc32: file.crc32,
    })),
  }
  const platform = objectPlatform(ctx)
  const examined = await examineFiles(platform, toExamine)
  const { blockers, findings } = examined
  const reports = {
    intakeReport: intakeReport(toExamine, examined),
    classificationReport: classificationReport(examined),
  }
  if (blockers.length > 0) {
    await examined.pack?.discard()
    return { blockers, findings, files: [], pack: undefined, ...reports }
  }
  const files = examined.files.map((file) => {
    const { path, sha256, sizeBytes, crc32, type, from, recognised } = file
    const uploaded = input.files[Number(file.object)]
    const place =
      file.object === examined.pack?.object
        ? { object: file.object, offset: file.offset }
        : { object: uploaded?.object ?? '', offset: (uploaded?.offset ?? 0) + file.offset }
    return { path, sha256, sizeBytes, crc32, ...place, mediaType: type.mediaType, from, recognised }
  })
  return { blockers, findings, files, pack: platform.stored.get(examined.pack?.object ?? ''), ...reports }
}

interface EvidenceContext {
  readonly objects: ObjectStore
  /** Undefined if none is configured. The report says whether files were scanned. */
  readonly scanner?: Scanner | undefined
}

/** The platform of the service: content in the object store. */
function objectPlatform({ objects, scanner }: EvidenceContext) {
  const stored = new Map<string, StoredObject>()
  return {
    host: nodeHost,
    async store(content) {
      const put = await objects.put(content)
      stored.set(put.object, put)
      const { object, sizeBytes } = put
      return {
        object,
        source: objectSource(objects, { object, offset: 0, sizeBytes }),
        discard: () => objects.delete(object),
      }
    },
    scanner,
    /** What was stored, by name. */
    stored,
  } satisfies Platform & { readonly stored: ReadonlyMap<string, StoredObject> }
}

function objectSource(objects: Reads, { object, offset, sizeBytes }: StoredRange): RandomAccess {
  const near = blockReads(objects, new Map([[object, offset + sizeBytes]]))
  return randomAccess(sizeBytes, (start, end) => near.read(object, offset + start, offset + end))
}
