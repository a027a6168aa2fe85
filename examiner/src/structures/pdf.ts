import type { RandomAccess } from '@kitseal/kit'
import type { ExamineContext } from '../examine-context.ts'
import { pdfHeaderAt } from '../detect/signatures.ts'
import { bytesAt } from '../platform/sources.ts'
import type { RuleCode } from '../rules.ts'
import { checkAppended } from './appended.ts'
import { checkPdfContents } from './pdf-contents.ts'
import { pdfDictionary } from './pdf-dictionary.ts'
import { opensWithoutPassword } from './pdf-encryption.ts'
import { broken, type FileToCheck, SOUND, type Structure } from './structure.ts'

const TAIL_BYTES = 2048
const SECTION_BYTES = 64 * 1024
const MAX_SECTIONS = 100

/** Follows the cross-reference sections of a PDF from its end. Finds truncation and encryption. */
export async function checkPdf({ source }: FileToCheck, { budget }: ExamineContext): Promise<Structure> {
  const header = pdfHeaderAt(await bytesAt(source, 0, 128)) ?? 0
  const tail = latin1(await bytesAt(source, Math.max(0, source.sizeBytes - TAIL_BYTES), TAIL_BYTES))
  const structure = await checkSections(source, tail, header)
  const end = tail.lastIndexOf('%%EOF')
  const after = end === -1 ? 0 : tail.slice(end + 5).replace(/^\s+/, '').length
  const appended = await checkAppended(source, source.sizeBytes - after)
  const is = (wanted: RuleCode): boolean => structure.findings.some(({ code }) => code === wanted)
  const contents = is('encrypted_pdf') ? SOUND : await checkPdfContents(source, is('restricted_pdf'), budget)
  return {
    ...contents,
    findings: [...structure.findings, ...appended, ...contents.findings],
    notes: [...structure.notes, ...contents.notes],
  }
}

/** Whatever is wrong here, readers search the file for its objects, so its contents are examined all the same. */
async function checkSections(source: RandomAccess, tail: string, header: number): Promise<Structure> {
  if (!tail.includes('%%EOF')) return broken('malformed_pdf', 'it has no end marker')
  const last = [...tail.matchAll(/startxref\s{1,8}(\d{1,15})/g)].at(-1)?.[1]
  if (last === undefined) return broken('malformed_pdf', 'it does not say where its cross-reference table is')
  return (await followSections(source, Number(last), header)) ?? (await searchSections(source))
}

/** Undefined if an offset is wrong. */
async function followSections(
  source: RandomAccess,
  first: number,
  header: number,
): Promise<Structure | undefined> {
  const visited = new Set<number>()
  const open = [first]
  // Sections of a valid file do not overlap, so reading them all is one pass. A hostile file gets at most four.
  const search: Search = { bytesLeft: 4 * source.sizeBytes + 2 * SECTION_BYTES }
  for (let offset = open.pop(); offset !== undefined && visited.size < MAX_SECTIONS; offset = open.pop()) {
    if (visited.has(offset)) continue
    if (search.bytesLeft <= 0) return { findings: [], notes: ['not every revision was checked'] }
    visited.add(offset)
    // Some producers count offsets from the header instead of the start of the file.
    const trailer =
      (await trailerAt(source, offset, search)) ?? (await trailerAt(source, offset + header, search))
    if (trailer === undefined) return undefined
    if (isEncrypted(trailer)) return checkPassword(source, trailer)
    for (const key of ['/Prev', '/XRefStm']) {
      const next = trailer.entries.get(key)
      if (next !== undefined && /^\d{1,15}$/.test(next)) open.push(Number(next))
    }
  }
  return SOUND
}

const isEncrypted = ({ entries }: Trailer): boolean => (entries.get('/Encrypt') ?? 'null') !== 'null'

async function checkPassword(source: RandomAccess, { text }: Trailer): Promise<Structure> {
  if (await opensWithoutPassword(source, text)) return broken('restricted_pdf', 'its trailer says so')
  return broken('encrypted_pdf', 'its trailer says so')
}

/** With wrong offsets, readers search the file for its trailers. */
async function searchSections(source: RandomAccess): Promise<Structure> {
  let hasRoot = false
  for (let at = 0, found = 0; at < source.sizeBytes && found < MAX_SECTIONS; at += SECTION_BYTES - OVERLAP) {
    const text = latin1(await bytesAt(source, at, SECTION_BYTES))
    for (const { index } of text.matchAll(/\btrailer\s*<<|\bobj\s*<<(?=[^>]{0,400}\/XRef\b)/g)) {
      const start = text.indexOf('<<', index)
      const dictionary = latin1(await bytesAt(source, at + start, OVERLAP))
      const entries = pdfDictionary(dictionary, 0)
      if (entries === undefined) continue
      found++
      if (isEncrypted({ entries, text: dictionary }))
        return checkPassword(source, { entries, text: dictionary })
      hasRoot ||= entries.has('/Root')
    }
  }
  if (!hasRoot) return broken('malformed_pdf', 'it has no cross-reference section')
  return broken('repaired_pdf', 'an offset of its cross-reference table is wrong')
}

const OVERLAP = 4096

interface Trailer {
  readonly entries: ReadonlyMap<string, string>
  readonly text: string
}

/** The trailer of a section: after a table, or the dictionary of a cross-reference stream. */
async function trailerAt(source: RandomAccess, offset: number, search: Search): Promise<Trailer | undefined> {
  const text = latin1(await bytesAt(source, offset, SECTION_BYTES))
  search.bytesLeft -= text.length
  const stream = /^\s{0,2048}\d{1,10}\s{1,8}\d{1,5}\s{1,8}obj/.exec(text)
  if (stream !== null) {
    const entries = pdfDictionary(text, stream[0].length)
    return entries?.get('/Type') === '/XRef' ? { entries, text: text.slice(stream[0].length) } : undefined
  }
  if (!/^\s{0,2048}xref\b/.test(text)) return undefined
  const at = await findTrailer(source, offset, search)
  if (at === undefined) return undefined
  const trailer = latin1(await bytesAt(source, at, SECTION_BYTES))
  const entries = pdfDictionary(trailer, 'trailer'.length)
  return entries === undefined ? undefined : { entries, text: trailer }
}

interface Search {
  bytesLeft: number
}

async function findTrailer(
  source: RandomAccess,
  offset: number,
  search: Search,
): Promise<number | undefined> {
  const overlap = 'trailer'.length - 1
  for (let at = offset; search.bytesLeft > 0 && at < source.sizeBytes; at += SECTION_BYTES - overlap) {
    search.bytesLeft -= SECTION_BYTES
    const found = latin1(await bytesAt(source, at, SECTION_BYTES)).indexOf('trailer')
    if (found !== -1) return at + found
  }
  return undefined
}

const decoder = new TextDecoder('latin1')

function latin1(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}
