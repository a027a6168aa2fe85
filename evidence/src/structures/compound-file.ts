import type { RandomAccess } from '@kitseal/kit'
import { broken, bytesAt, type Structure, viewOf } from './structure.ts'

const MAX_DIRECTORY_BYTES = 1024 * 1024
const FREE = 0xfffffffa

/** What the Compound File Binary of Microsoft holds: an encrypted office file, one of the old kind, an installer. */
export async function examineCompoundFile(source: RandomAccess): Promise<Structure> {
  const names = await entryNames(source)
  const has = (...wanted: readonly string[]): boolean => wanted.some((name) => names.includes(name))
  if (has('EncryptedPackage')) return broken('encrypted_office', 'it holds an encrypted package')
  if (has('VBA', '_VBA_PROJECT', 'Macros', '_VBA_PROJECT_CUR')) {
    return {
      findings: [{ code: 'legacy_office' }, { code: 'macros', seen: 'it holds a VBA project' }],
      notes: [],
    }
  }
  if (has('WordDocument')) return broken('legacy_office', 'it is a Word document of 1997 to 2003')
  if (has('Workbook', 'Book')) return broken('legacy_office', 'it is an Excel workbook of 1997 to 2003')
  if (has('PowerPoint Document'))
    return broken('legacy_office', 'it is a PowerPoint presentation of 1997 to 2003')
  if (has('__properties_version1.0')) {
    return broken('unsupported_type', 'it is an Outlook message (MSG); save it as EML or PDF')
  }
  // The tables of an installer have names in a code of their own, which starts with this sign.
  if (names.some((name) => name.startsWith('\u4840'))) {
    return broken('executable_content', 'it is a Windows installer (MSI)')
  }
  return broken('unsupported_type', 'it is a Compound File of Microsoft')
}

/** The names in the directory, as far as it can be followed. */
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
