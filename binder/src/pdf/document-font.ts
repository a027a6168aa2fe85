import { fontProgram } from '../fonts/font-program.ts'
import type { Glyph } from '../fonts/glyph-outline.ts'
import type { Typeface } from '../fonts/typeface.ts'
import { type Compression, OWN, SHARED, type StreamContent } from './compress.ts'
import type { PdfFile, Ref } from './pdf-file.ts'
import { array, dict, utf16Hex } from './pdf-values.ts'

/** A typeface in a document: the basic glyphs, then others in the order of first use. */
export interface DocumentFont {
  readonly resource: string
  /** The two-byte code of a glyph, escaped for a literal string. */
  code(glyph: Glyph): string
  /** Whether a joined glyph can be added. Too many would make a large file: their parts are drawn instead. */
  hasRoom(glyph: Glyph): boolean
  write(file: PdfFile): Ref
}

const MAX_GLYPHS = 65_000
const MAX_JOINED_GLYPHS = 10_000

export function documentFont(typeface: Typeface, basic: BasicFont, resource: string): DocumentFont {
  const basicCodes = basic.codes
  const codes = new Map<Glyph, string>()
  let codesByKey: Map<string, string> | undefined
  /** Beyond the basic ones. */
  const others: Glyph[] = []
  let joinedGlyphs = 0

  function code(glyph: Glyph): string {
    const known = basicCodes.get(glyph) ?? codes.get(glyph)
    if (known !== undefined) return known
    codesByKey ??= new Map(allGlyphs().map((one, id) => [one.key, twoBytes(id)]))
    const made = codesByKey.get(glyph.key) ?? add(glyph, codesByKey)
    codes.set(glyph, made)
    return made
  }

  function add(glyph: Glyph, byKey: Map<string, string>): string {
    // Unknown codes show an empty box. Only names that were invented for it have so many different glyphs.
    const id = typeface.basic.length + 1 + others.length
    if (id > MAX_GLYPHS) return twoBytes(0)
    const made = twoBytes(id)
    if (glyph.parts !== undefined) joinedGlyphs++
    others.push(glyph)
    byKey.set(glyph.key, made)
    return made
  }

  const hasRoom = (glyph: Glyph): boolean =>
    joinedGlyphs < MAX_JOINED_GLYPHS || codesByKey?.has(glyph.key) === true

  const allGlyphs = (): readonly Glyph[] => [typeface.missing, ...typeface.basic, ...others]

  function write(file: PdfFile): Ref {
    const glyphs = allGlyphs()
    const { program, programBytes, widths, characters } =
      others.length === 0 ? basic.tables() : makeTables(typeface, glyphs, OWN)
    // Six letters and a plus sign mark an embedded subset.
    const name = `/KITSEA+${typeface.name}`
    const widest = glyphs.reduce((most, { advance }) => Math.max(most, advance), 0)
    const descriptor = file.add(
      dict({
        Type: '/FontDescriptor',
        FontName: name,
        Flags: typeface.fixedPitch ? 0b101 : 0b100,
        FontBBox: array([0, typeface.descent, widest, typeface.ascent]),
        ItalicAngle: 0,
        Ascent: typeface.ascent,
        Descent: typeface.descent,
        CapHeight: typeface.capHeight,
        StemV: 80,
        FontFile2: file.addStream({ Length1: programBytes }, program),
      }),
    )
    const descendant = file.add(
      dict({
        Type: '/Font',
        Subtype: '/CIDFontType2',
        BaseFont: name,
        CIDSystemInfo: '<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>',
        FontDescriptor: descriptor,
        W: array([0, widths]),
        CIDToGIDMap: '/Identity',
      }),
    )
    return file.add(
      dict({
        Type: '/Font',
        Subtype: '/Type0',
        BaseFont: name,
        Encoding: '/Identity-H',
        DescendantFonts: array([descendant]),
        ToUnicode: file.addStream({}, characters),
      }),
    )
  }

  return { resource, code, hasRoom, write }
}

/** A typeface with its basic glyphs, which is the same in every document. */
export type BasicFont = ReturnType<typeof basicFont>

export function basicFont(typeface: Typeface) {
  const glyphs = [typeface.missing, ...typeface.basic]
  let tables: FontTables | undefined
  return {
    codes: new Map(glyphs.map((glyph, id): readonly [Glyph, string] => [glyph, twoBytes(id)])),
    tables: (): FontTables => (tables ??= makeTables(typeface, glyphs, SHARED)),
  }
}

interface FontTables {
  readonly program: StreamContent
  readonly programBytes: number
  readonly widths: string
  readonly characters: StreamContent
}

function makeTables(
  { ascent, descent }: Typeface,
  glyphs: readonly Glyph[],
  { compress }: Compression,
): FontTables {
  const program = fontProgram({ glyphs, ascent, descent })
  return {
    program: compress(program),
    programBytes: program.length,
    widths: array(glyphs.map(({ advance }) => advance)),
    characters: compress(Buffer.from(unicodeMap(glyphs), 'latin1')),
  }
}

/** Maps glyphs to text, for search and copy. */
function unicodeMap(glyphs: readonly Glyph[]): string {
  const rows = rangesOf(glyphs).map(
    ({ from, to, text }) => `<${hex4(from)}> <${hex4(to)}> <${utf16Hex(text)}>`,
  )
  const blocks: string[] = []
  for (let at = 0; at < rows.length; at += 100) {
    const block = rows.slice(at, at + 100)
    blocks.push(`${block.length} beginbfrange\n${block.join('\n')}\nendbfrange`)
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry(Adobe)/Ordering(UCS)/Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}

/** Codes whose texts are consecutive characters. Neither the codes nor the characters of a range may differ in their first byte. */
function rangesOf(glyphs: readonly Glyph[]): readonly { from: number; to: number; text: string }[] {
  const ranges: { from: number; to: number; text: string }[] = []
  for (const [id, { text }] of glyphs.entries()) {
    if (text === '') continue
    const last = ranges.at(-1)
    const next = last === undefined ? 0 : last.text.charCodeAt(0) + id - last.from
    const continues = id % 256 !== 0 && next % 256 !== 0 && last?.to === id - 1 && last.text.length === 1
    if (continues && text === String.fromCharCode(next)) last.to = id
    else ranges.push({ from: id, to: id, text })
  }
  return ranges
}

/** Half the size of hex, and most of a page is text. Escapes only what would end or change a literal string. */
const twoBytes = (value: number): string => oneByte(value >> 8) + oneByte(value & 0xff)

function oneByte(value: number): string {
  const byte = String.fromCharCode(value)
  if (byte === '\r') return '\\r'
  return '()\\'.includes(byte) ? `\\${byte}` : byte
}

const hex4 = (value: number): string => value.toString(16).padStart(4, '0')
