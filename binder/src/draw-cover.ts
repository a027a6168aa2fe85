import type { Fact } from './cover-facts.ts'
import type { Page } from './pdf/pdf-document.ts'
import type { Element } from './pdf/structure-tree.ts'
import {
  ACCENT,
  BODY,
  COLUMN,
  HAIRLINE,
  INK,
  NOTE,
  PAPER,
  SOFT,
  type Layout,
  type Line,
  type Section,
  type Style,
} from './layout.ts'

const KICKER: Style = { face: 'strong', size: 9, leading: 14, colour: ACCENT, spacing: 1.6 }
const NAME: Style = { face: 'regular', size: 9, leading: 15, colour: SOFT }
const VALUE: Style = { face: 'regular', size: 10, leading: 15, colour: INK }
const CODE_VALUE: Style = { ...VALUE, face: 'mono', size: 8.6 }
// A scope of 200 escaped characters must still leave room for some facts.
const TITLES: readonly (Style & { readonly maxLines: number })[] = [
  { face: 'strong', size: 27, leading: 34, colour: INK, maxLines: 4 },
  { face: 'strong', size: 18, leading: 24, colour: INK, maxLines: 6 },
  { face: 'strong', size: 10, leading: 14, colour: INK, maxLines: 18 },
]
const INTRODUCING: Style = { ...BODY, colour: SOFT }
const VALUES_LEFT = COLUMN.left + 104

/** Where the table of contents goes, once the page numbers are known. */
export interface ContentsPlace {
  readonly page: Page
  readonly top: number
  readonly element: Element
}

const MAX_SECTIONS = 4
const SECTION_LEADING = 16

/** Continues on the next page if the facts do not fit. */
export function drawCover(layout: Layout, scope: string, facts: readonly Fact[]): ContentsPlace {
  layout.document.bookmark({ title: layout.t('binder.cover'), level: 1, page: 1, top: PAPER.height })
  layout.fixed('cover', () => {
    layout.page.artifact(() => layout.fill(COLUMN.left, 84, 36, 3, ACCENT))
    layout.y = 116
    layout.paragraph(layout.t('binder.kicker'), KICKER, { after: 24 })
  })
  drawTitle(layout, scope)
  layout.fixed('introduction', () =>
    layout.paragraph(layout.t('binder.introduction'), INTRODUCING, { after: 16, width: 420 }),
  )
  drawFacts(layout, facts)
  layout.ensureSpace(44 + (MAX_SECTIONS - 1) * SECTION_LEADING)
  return { page: layout.page, top: layout.y + 44, element: layout.document.reserveElement('Div') }
}

export function drawFacts(layout: Layout, facts: readonly Fact[]): void {
  layout.document.element('Table', () => {
    for (const fact of facts) drawFact(layout, fact)
  })
  line(layout)
}

function drawTitle(layout: Layout, scope: string): void {
  for (const style of TITLES) {
    const lines = layout.wrap(scope, style, COLUMN.width)
    if (lines.length > style.maxLines && style !== TITLES.at(-1)) continue
    layout.writeLines(lines, style, { x: COLUMN.left, role: 'H1' })
    break
  }
  layout.y += 10
}

function drawFact(layout: Layout, { name, value, isCode }: Fact): void {
  const style = isCode ? CODE_VALUE : VALUE
  const labels = layout.wrap(name, NAME, VALUES_LEFT - COLUMN.left - 14)
  const lines = layout.wrap(value, style, COLUMN.right - VALUES_LEFT)
  const rows = Math.max(labels.length, lines.length)
  layout.ensureSpace(rows * style.leading)
  line(layout)
  layout.y += 16
  layout.document.element('TR', () => {
    layout.page.tagged('TH', () => drawLines(layout, labels, NAME, COLUMN.left), { scope: 'Row' })
    layout.page.tagged('TD', () => drawLines(layout, lines, style, VALUES_LEFT))
  })
  layout.y += rows * style.leading - 8
}

function drawLines(layout: Layout, lines: readonly Line[], style: Style, x: number): void {
  for (const [row, text] of lines.entries()) layout.write(text, style, x, layout.y + row * style.leading)
}

const line = (layout: Layout): void =>
  layout.page.artifact(() => layout.fill(COLUMN.left, layout.y, COLUMN.width, 0.5, HAIRLINE))

export function drawContents(
  layout: Layout,
  { page: contents, top, element }: ContentsPlace,
  sections: readonly Section[],
): void {
  const { document } = layout
  const drawEntry = ({ title, page }: Section, baseline: number): void => {
    for (const text of layout.wrap(`${title} `, VALUE, 300)) layout.write(text, VALUE, VALUES_LEFT, baseline)
    for (const text of layout.wrap(layout.t('binder.page', { page }), NOTE, 80)) {
      layout.write(text, NOTE, COLUMN.right - text.width, baseline)
    }
  }
  const drawList = (): void => {
    contents.tagged('P', () => {
      for (const text of layout.wrap(layout.t('binder.contents'), NAME, 100))
        layout.write(text, NAME, COLUMN.left, top)
    })
    document.element('TOC', () => {
      for (const [index, section] of sections.entries()) {
        contents.tagged('TOCI', () => drawEntry(section, top + index * SECTION_LEADING))
      }
    })
  }
  const drawFixed = (): void => {
    layout.y = top
    layout.fixed(`contents ${sections.map(({ title, page }) => `${title} ${page}`).join(' ')}`, drawList)
  }
  layout.onPage(contents, () => document.fillElement(element, drawFixed))
}
