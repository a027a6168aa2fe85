import type { ShapedGlyph } from './fonts/typeface.ts'
import type { GlyphSets, Typefaces } from './fonts/typefaces.ts'
import type { Page, PdfDocument } from './pdf/pdf-document.ts'
import { coordinate } from './pdf/pdf-values.ts'
import type { Role } from './pdf/structure-tree.ts'
import type { SharedParts } from './shared-parts.ts'
import { textOperators } from './pdf/text-operators.ts'
import { breakLines } from './text/break-lines.ts'
import type { Words } from './words.ts'

// A4 in points: one text column with a margin for numbers on its left.
export const PAPER = { width: 595.28, height: 841.89 }
export const COLUMN = { left: 68, right: 527.28, width: 459.28 }
const FIRST_LINE = 96
const LAST_LINE = 762
/** Places of fixed parts that are kept for other binders. */
const MAX_FIXED = 128

export const INK = '0.1 0.11 0.13'
export const SOFT = '0.38 0.4 0.44'
export const ACCENT = '0.07 0.25 0.42'
export const HAIRLINE = '0.82 0.84 0.86'
export const TINT = '0.953 0.961 0.969'

export interface Style {
  readonly face: keyof Typefaces
  readonly size: number
  readonly leading: number
  readonly colour: string
  readonly spacing?: number
  /** Whether its text is a path or a file name, whose parts are ordered from left to right in every script. */
  readonly isPath?: boolean
}

export const BODY: Style = { face: 'regular', size: 10, leading: 15.5, colour: INK }
export const NOTE: Style = { face: 'regular', size: 8.5, leading: 12.5, colour: SOFT }
export const CODE: Style = { face: 'mono', size: 8, leading: 13, colour: INK }
export const HEADING: Style = { face: 'strong', size: 19, leading: 25, colour: ACCENT }
export const SUBHEADING: Style = { face: 'strong', size: 11.5, leading: 17, colour: INK }

export interface Line {
  readonly glyphs: readonly ShapedGlyph[]
  readonly width: number
  /** Distance from the left edge of the text. */
  readonly indent: number
}

interface Place {
  readonly x: number
  readonly width: number
  readonly role: Role
  readonly after: number
}

export type Layout = ReturnType<typeof startLayout>

export function startLayout(document: PdfDocument, glyphSets: GlyphSets, parts: SharedParts, words: Words) {
  let page = document.addPage()
  let hasMissingGlyphs = false
  const fonts = {
    regular: document.font(glyphSets.regular.typeface),
    strong: document.font(glyphSets.strong.typeface),
    mono: document.font(glyphSets.mono.typeface),
  }

  function wrap(text: string, style: Style, width: number): readonly Line[] {
    const { face, size, spacing = 0, isPath = false } = style
    const glyphSet = glyphSets[face]
    const limit = (width * 1000) / size
    const lines = breakLines({ text, isPath, glyphSet, limit })
    hasMissingGlyphs ||= lines.some(({ glyphs }) =>
      glyphs.some(({ missingCharacter }) => missingCharacter !== undefined),
    )
    return lines.map(({ glyphs, width: measured, indent }) => ({
      glyphs,
      width: (measured * size) / 1000 + spacing * glyphs.length,
      indent: (indent * size) / 1000,
    }))
  }

  const layout = {
    document,
    words,
    t: words.t,
    language: words.language,
    /** The current position, from the top of the page. */
    y: FIRST_LINE,
    get page(): Page {
      return page
    },
    /** Whether any text contained a character that no font has. */
    get hasMissingGlyphs(): boolean {
      return hasMissingGlyphs
    },
    newPage: (): void => {
      page = document.addPage()
      layout.y = FIRST_LINE
    },
    /** Draws on an earlier page. */
    onPage: (other: Page, drawing: () => void): void => {
      const current = page
      page = other
      drawing()
      page = current
    },
    /** Starts a new page if less than this is left. @returns whether it did */
    ensureSpace: (height: number): boolean => {
      if (layout.y + height <= LAST_LINE) return false
      layout.newPage()
      return true
    },
    wrap,
    write: (line: Line, style: Style, x: number, baseline: number): void => {
      const font = fonts[style.face]
      const { size, spacing = 0 } = style
      const left = x + line.indent
      const text = textOperators({
        font,
        size,
        x: left,
        y: PAPER.height - baseline,
        glyphs: line.glyphs,
        spacing,
      })
      page.draw(`${style.colour} rg ${text}\n`)
    },
    /** The resource name of a style's font, and the code of a character in it. For text that is written without shaping. */
    resource: (style: Style): string => fonts[style.face].resource,
    code: (letter: string, style: Style): string =>
      glyphSets[style.face]
        .shape(letter)
        .map(({ glyph }) => fonts[style.face].code(glyph))
        .join(''),
    /** Draws what is the same in every binder that reaches this place, once. The name stands for the drawing. */
    fixed: (name: string, drawing: () => void): void =>
      drawFixed(`${name} ${layout.y} ${document.contentsOf(page)}`, drawing),
    /** The same for decoration, which does not depend on what the page shows before. */
    fixedArtifact: drawFixed,
    fill: (x: number, top: number, width: number, height: number, colour: string): void => {
      page.draw(`${colour} rg `)
      page.draw(coordinate(x))
      page.draw(coordinate(PAPER.height - top - height))
      page.draw(coordinate(width))
      page.draw(coordinate(height))
      page.draw('re f\n')
    },
    paragraph: (text: string, style: Style, place: Partial<Place> = {}): void => {
      const { x = COLUMN.left, width = COLUMN.width, role = 'P', after = 0 } = place
      layout.writeLines(wrap(text, style, width), style, { x, role })
      layout.y += after
    },
    /** Writes an element that may continue on the next page. */
    writeLines: (lines: readonly Line[], style: Style, { x, role }: Pick<Place, 'x' | 'role'>): void =>
      document.element(role, () => {
        for (const chunk of chunksThatFit(lines, style)) {
          page.content(() => {
            for (const line of chunk) {
              layout.write(line, style, x, layout.y)
              layout.y += style.leading
            }
          })
        }
      }),
  }

  function drawFixed(key: string, drawing: () => void): void {
    // The codes of other letters than those of English differ between documents.
    if (words.language !== 'en') return drawing()
    const known = parts.fixed.get(key)
    if (known !== undefined) {
      document.show(page, known.content)
      layout.y = known.y
      return
    }
    const content = document.share(page, drawing)
    if (content === undefined) return
    if (parts.fixed.size >= MAX_FIXED) parts.fixed.clear()
    parts.fixed.set(key, { content, y: layout.y })
  }

  /** Splits lines into chunks that fit on a page each. */
  function* chunksThatFit(lines: readonly Line[], { leading }: Style): Generator<readonly Line[]> {
    let rest = lines
    while (rest.length > 0) {
      layout.ensureSpace(leading)
      const fitting = Math.max(1, Math.floor((LAST_LINE - layout.y) / leading))
      yield rest.slice(0, fitting)
      rest = rest.slice(fitting)
    }
  }

  return layout
}

/** A section in the table of contents. */
export interface Section {
  readonly title: string
  readonly page: number
}

/** Starts a section on a new page. */
export function openSection(layout: Layout, title: string): Section {
  layout.newPage()
  layout.document.bookmark({ title, level: 1, page: layout.page.number, top: PAPER.height - 60 })
  layout.fixed(`section ${title}`, () => {
    layout.y += 6
    layout.paragraph(title, HEADING, { role: 'H2', after: 6 })
  })
  return { title, page: layout.page.number }
}
