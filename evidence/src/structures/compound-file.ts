import type { RandomAccess } from '@kitseal/kit'
import { bytesAt, viewOf } from '../platform/sources.ts'
import type { Finding } from '../rules.ts'
import { type FileToCheck, rejected, type Structure } from './structure.ts'

const MAX_DIRECTORY_BYTES = 1024 * 1024
const FREE = 0xfffffffa

const VBA: readonly Finding[] = [
  { code: 'legacy_office' },
  { code: 'macros', detail: 'it contains a VBA project' },
]
const OUTLOOK = 'it is an Outlook message (MSG); save it as EML or PDF'

/** The first row with one of these directory entries decides what the file is. */
const KINDS: readonly (readonly [entries: readonly string[], findings: readonly Finding[]])[] = [
  [['EncryptedPackage'], [{ code: 'encrypted_office', detail: 'it contains an encrypted package' }]],
  [['VBA', '_VBA_PROJECT', 'Macros', '_VBA_PROJECT_CUR'], VBA],
  [['WordDocument'], [{ code: 'legacy_office', detail: 'it is a Word 97-2003 document' }]],
  [['Workbook', 'Book'], [{ code: 'legacy_office', detail: 'it is an Excel 97-2003 workbook' }]],
  [['PowerPoint Document'], [{ code: 'legacy_office', detail: 'it is a PowerPoint 97-2003 presentation' }]],
  [['__properties_version1.0'], [{ code: 'unsupported_type', detail: OUTLOOK }]],
]

/** Microsoft's Compound File Binary: an encrypted Office file, a legacy Office file, or an installer. */
export async function checkCompoundFile({ source }: Pick<FileToCheck, 'source'>): Promise<Structure> {
  const names = await entryNames(source)
  const kind = KINDS.find(([entries]) => entries.some((entry) => names.includes(entry)))
  if (kind !== undefined) return rejected(...kind[1])
  // The encoded table names of an installer start with this character.
  if (names.some((name) => name.startsWith('\u4840'))) {
    return rejected({ code: 'executable_content', detail: 'it is a Windows installer (MSI)' })
  }
  return rejected({ code: 'unsupported_type', detail: 'it is a Microsoft Compound File' })
}

/** The names in the directory, as far as it can be read. */
async function entryNames(source: RandomAccess): Promise<readonly string[]> {
  const head = await bytesAt(source, 0, 512)
  if (head.length < 512) return []
  const header = viewOf(head)
  const shift = header.getUint16(30, true)
  if (shift !== 9 && shift !== 12) return []
  const sectorBytes = 2 ** shift
  const table = Array.from({ length: 109 }, (_, index) => header.getUint32(76 + index * 4, true))
  const names: string[] = []
  const seen = new Set<number>()
  let sector = header.getUint32(48, true)
  while (sector < FREE && !seen.has(sector) && seen.size * sectorBytes < MAX_DIRECTORY_BYTES) {
    seen.add(sector)
    const bytes = await bytesAt(source, (sector + 1) * sectorBytes, sectorBytes)
    if (bytes.length < sectorBytes) break
    for (let at = 0; at + 128 <= bytes.length; at += 128) names.push(nameAt(bytes, at))
    sector = await nextSector(source, table, sector, sectorBytes)
  }
  return names.filter((name) => name !== '')
}

async function nextSector(
  source: RandomAccess,
  table: readonly number[],
  sector: number,
  sectorBytes: number,
): Promise<number> {
  const perSector = sectorBytes / 4
  const tableSector = table[Math.floor(sector / perSector)]
  if (tableSector === undefined || tableSector >= FREE) return FREE
  const at = (tableSector + 1) * sectorBytes + (sector % perSector) * 4
  const bytes = await bytesAt(source, at, 4)
  return bytes.length < 4 ? FREE : viewOf(bytes).getUint32(0, true)
}

function nameAt(bytes: Uint8Array, at: number): string {
  const length = Math.min(64, viewOf(bytes).getUint16(at + 64, true))
  return length < 2 ? '' : new TextDecoder('utf-16le').decode(bytes.subarray(at, at + length - 2))
}
