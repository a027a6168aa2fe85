import { webHost } from '@kitseal/kit'
import { type OpenArchive, openArchive, readSmallEntry } from '../archives/open-archive.ts'
import { utf16Encoding } from '../detect/text-encoding.ts'
import { FILE_PARTS } from '../limits.ts'
import { memorySource } from '../platform/sources.ts'
import { contentTypes, partsOfType } from '../structures/office.ts'

/** The XML of an Office file, unpacked within limits. */
export interface OfficePackage {
  /** By name. */
  readonly parts: ReadonlyMap<string, Uint8Array>
  /** The main part of a text document. */
  readonly document: string | undefined
  readonly isWorkbook: boolean
}

export class OfficeProblem extends Error {
  readonly is: 'damaged' | 'large'

  constructor(is: OfficeProblem['is']) {
    super(is === 'large' ? 'it is too large' : 'it is damaged')
    this.is = is
  }
}

const MAX_UNPACKED_BYTES = 32 * 1024 * 1024
const DOCUMENT = /word(?:processingml|\.document|\.template).*\.main\+xml$/i
const WORKBOOK = /(?:spreadsheetml|ms-excel)\..*\.main\+xml$/i

/** Unpacks only XML. Throws OfficeProblem. */
export async function openPackage(bytes: Uint8Array): Promise<OfficePackage> {
  const archive = await openArchive(memorySource(bytes), FILE_PARTS, () => {})
  if ('code' in archive) throw new OfficeProblem(archive.code === 'too_many_entries' ? 'large' : 'damaged')
  const parts = await xmlParts(archive)
  const list = parts.get('[Content_Types].xml')
  const types = list === undefined ? undefined : contentTypes(list)
  if (types === undefined) throw new OfficeProblem('damaged')
  const names = new Set(parts.keys())
  return {
    parts,
    document: partsOfType(names, types, DOCUMENT)[0],
    isWorkbook: partsOfType(names, types, WORKBOOK).length > 0 || names.has('xl/workbook.xml'),
  }
}

async function xmlParts(archive: OpenArchive): Promise<ReadonlyMap<string, Uint8Array>> {
  const wanted = archive.entries.filter(({ name }) => /\.(?:xml|rels)$/i.test(name))
  if (wanted.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > MAX_UNPACKED_BYTES)
    throw new OfficeProblem('large')
  const parts = new Map<string, Uint8Array>()
  for (const { name } of wanted) {
    const content = await readSmallEntry(archive, name, MAX_UNPACKED_BYTES, { host: webHost })
    if (content === undefined) throw new OfficeProblem('damaged')
    parts.set(name, content)
  }
  return parts
}

/** Office Open XML may be in UTF-16. */
export const xmlText = (bytes: Uint8Array): string =>
  new TextDecoder(utf16Encoding(bytes) ?? 'utf-8').decode(bytes)
