import { type RandomAccess, type ZipEntry, ZipProblem } from '@kitseal/kit/internal'
import { locateContent, type OpenArchive, readContent, zipFinding } from '../archives/open-archive.ts'
import type { ExamineContext } from '../examine-context.ts'
import { chunks, memorySource, sourceRange } from '../platform/sources.ts'
import type { UnpackedFile } from '../kits/contained-kit.ts'
import { detailOf } from '../rules.ts'
import { type Containment, type InnerFile, InnerProblem } from './structure.ts'

interface Range {
  readonly name: string
  readonly as: Containment
  readonly at: number
  readonly sizeBytes: number
}

/** A range of a file that is a file itself. */
export function rangeOf(source: RandomAccess, { name, as, at, sizeBytes }: Range): InnerFile {
  return sourceFile(name, as, sourceRange(source, at, sizeBytes))
}

export function sourceFile(name: string, as: Containment, source: RandomAccess): InnerFile {
  return {
    name,
    as,
    sizeBytes: source.sizeBytes,
    source: () => source,
    content: () => chunks(source),
  }
}

export const bytesFile = (name: string, as: Containment, bytes: Uint8Array): InnerFile =>
  sourceFile(name, as, memorySource(bytes))

/** The files of an archive that can be read. */
export function entriesOf(
  archive: OpenArchive,
  ctx: ExamineContext,
  kindOf: (name: string) => Pick<InnerFile, 'as' | 'checkText'>,
): readonly InnerFile[] {
  return archive.entries.flatMap((entry, index) => {
    if (archive.problems.has(entry) || entry.isFolder) return []
    const { name, sizeBytes } = entry
    let dataAt = 0
    return [
      {
        name,
        sizeBytes,
        ...kindOf(name),
        content: () => entryContent(archive, index, ctx, (at) => (dataAt = at)),
        source: () => (entry.method === 0 ? sourceRange(archive.source, dataAt, sizeBytes) : undefined),
      },
    ]
  })
}

async function* entryContent(
  archive: OpenArchive,
  index: number,
  { platform }: ExamineContext,
  onLocated: (dataAt: number) => void,
): AsyncGenerator<Uint8Array> {
  const entry = archive.entries[index] as ZipEntry
  const dataAt = await locateContent(archive, index)
  if (typeof dataAt !== 'number') throw new InnerProblem(dataAt)
  onLocated(dataAt)
  let crc32 = 0
  try {
    for await (const bytes of readContent(archive, entry, dataAt, platform)) {
      crc32 = platform.host.crc32(bytes, crc32)
      yield bytes
    }
  } catch (error) {
    throw error instanceof ZipProblem ? new InnerProblem(zipFinding(error)) : error
  }
  if (crc32 !== entry.crc32) throw new InnerProblem(zipFinding(new ZipProblem(detailOf('detail.badCrc'))))
}

/** As files of a kit that may be among them. */
export const unpackedFiles = (path: string, files: readonly InnerFile[]): readonly UnpackedFile[] =>
  files.map(({ name, sizeBytes, content }) => ({ path: `${path}/${name}`, sizeBytes, read: content }))
