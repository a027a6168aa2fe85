import { fontProgram } from '../fonts/font-program.ts'
import type { Glyph } from '../fonts/font-file.ts'
import type { Typeface } from '../fonts/typeface.ts'
import { array, dict, text } from './pdf-values.ts'
import type { PdfFile, Ref } from './pdf-file.ts'

/** A typeface inside one document: only the glyphs that are used, numbered in the order of their use. */
export interface DocumentFont {
  readonly resource: string
  readonly ref: Ref
  /** Four hexadecimal digits. */
  code(glyph: Glyph): string
  isUsed(): boolean
  write(): void
}

export function documentFont(file: PdfFile, typeface: Typeface, resource: string): DocumentFont {
  const ref = file.reserve()
  const codes = new Map<Glyph, string>([[typeface.missing, '0000']])
  let used = false

  function code(glyph: Glyph): string {
    used = true
    const known = codes.get(glyph)
    if (known !== undefined) return known
    const made = hex4(codes.size)
    codes.set(glyph, made)
    return made
  }

  function write(): void {
    const glyphs = [...codes.keys()]
    const program = fontProgram({ glyphs, ascent: typeface.ascent, descent: typeface.descent })
    // Six letters and a plus mark a font of which only a part is embedded.
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
        FontFile2: file.stream({ Length1: program.length }, program),
      }),
    )
    const descendant = file.add(
      dict({
        Type: '/Font',
        Subtype: '/CIDFontType2',
        BaseFont: name,
        CIDSystemInfo: '<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>',
        FontDescriptor: descriptor,
        W: array([0, array(glyphs.map(({ advance }) => advance))]),
        CIDToGIDMap: '/Identity',
      }),
    )
    file.put(
      ref,
      dict({
        Type: '/Font',
        Subtype: '/Type0',
        BaseFont: name,
        Encoding: '/Identity-H',
        DescendantFonts: array([descendant]),
        ToUnicode: file.stream({}, Buffer.from(unicodeMap(glyphs), 'latin1')),
      }),
    )
  }

  return { resource, ref, code, isUsed: () => used, write }
}

/** Which text a glyph stands for, so that the document can be searched and copied from. */
function unicodeMap(glyphs: readonly Glyph[]): string {
  const rows = glyphs.flatMap((glyph, id) =>
    glyph.text === '' ? [] : [`<${hex4(id)}> ${text(glyph.text).replace('<feff', '<')}`],
  )
  const blocks: string[] = []
  for (let at = 0; at < rows.length; at += 100) {
    const block = rows.slice(at, at + 100)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
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

const hex4 = (value: number): string => value.toString(16).padStart(4, '0')
