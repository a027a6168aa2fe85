import type { Fact } from './cover-facts.ts'
import type { Page } from './pdf/pdf-document.ts'
import type { Section } from './section.ts'
import { ACCENT, BODY, COLUMN, HAIRLINE, INK, NOTE, PAPER, SOFT } from './sheet.ts'
import type { Sheet, Style } from './sheet.ts'

const KICKER: Style = { face: 'strong', size: 9, leading: 14, colour: ACCENT, spacing: 1.6 }
const NAME: Style = { face: 'regular', size: 9, leading: 15, colour: SOFT }
const VALUE: Style = { face: 'regular', size: 10, leading: 15, colour: INK }
const CODE_VALUE: Style = { ...VALUE, face: 'mono', size: 8.6 }
// A scope of 200 characters, each of them hidden and so written out, must still leave room for some facts.
const TITLES: readonly (Style & { readonly mostLines: number })[] = [
  { face: 'strong', size: 27, leading: 34, colour: INK, mostLines: 4 },
  { face: 'strong', size: 18, leading: 24, colour: INK, mostLines: 6 },
  { face: 'strong', size: 10, leading: 14, colour: INK, mostLines: 18 },
]
const VALUES_LEFT = COLUMN.left + 104
const WHAT_IT_IS =
  'This binder describes one sealed kit for people: what is in it, who issued it and when, and how to check it. The kit ' +
  'itself carries the proof. Anyone can check it, without asking the issuer and without a network.'

/** Where the list of chapters goes, once their pages are known. */
export interface ContentsPlace {
  readonly page: Page
  readonly top: number
}

const MOST_SECTIONS = 4
const SECTION_LEADING = 16

/** What does not fit on the first page goes on on the next. */
export function drawCover(sheet: Sheet, scope: string, facts: readonly Fact[]): ContentsPlace {
  sheet.document.bookmark({ title: 'Cover', level: 1, page: 1, top: PAPER.height })
  sheet.page.ornament(() => sheet.fill(COLUMN.left, 84, 36, 3, ACCENT))
  sheet.y = 116
  sheet.paragraph('EVIDENCE BINDER', KICKER, { after: 24 })
  drawTitle(sheet, scope)
  sheet.paragraph(WHAT_IT_IS, { ...BODY, colour: SOFT }, { after: 16, width: 420 })
  for (const fact of facts) drawFact(sheet, fact)
  line(sheet)
  sheet.keep(44 + (MOST_SECTIONS - 1) * SECTION_LEADING)
  return { page: sheet.page, top: sheet.y + 44 }
}

function drawTitle(sheet: Sheet, scope: string): void {
  const fits = (style: (typeof TITLES)[number]): boolean =>
    sheet.wrap(scope, style, COLUMN.width).length <= style.mostLines
  const style = TITLES.find(fits) ?? TITLES.at(-1) ?? BODY
  sheet.paragraph(scope, style, { role: 'H1', after: 10 })
}

function drawFact(sheet: Sheet, { name, value, isCode }: Fact): void {
  const style = isCode ? CODE_VALUE : VALUE
  const lines = sheet.wrap(value, style, COLUMN.right - VALUES_LEFT)
  sheet.keep(lines.length * style.leading)
  line(sheet)
  sheet.y += 16
  sheet.page.tagged('P', () => {
    for (const label of sheet.wrap(name, NAME, 100)) sheet.write(label, NAME, COLUMN.left, sheet.y)
    for (const text of lines) {
      sheet.write(text, style, VALUES_LEFT, sheet.y)
      sheet.y += style.leading
    }
  })
  sheet.y -= 8
}

const line = (sheet: Sheet): void =>
  sheet.page.ornament(() => sheet.fill(COLUMN.left, sheet.y, COLUMN.width, 0.5, HAIRLINE))

export function drawContents(
  sheet: Sheet,
  { page: contents, top }: ContentsPlace,
  sections: readonly Section[],
): void {
  sheet.onPage(contents, () => {
    for (const text of sheet.wrap('Contents', NAME, 100)) {
      contents.tagged('P', () => sheet.write(text, NAME, COLUMN.left, top))
    }
    for (const [index, { title, page }] of sections.entries()) {
      const baseline = top + index * SECTION_LEADING
      contents.tagged('P', () => {
        for (const text of sheet.wrap(title, VALUE, 300)) sheet.write(text, VALUE, VALUES_LEFT, baseline)
        for (const text of sheet.wrap(`page ${page}`, NOTE, 80)) {
          sheet.write(text, NOTE, COLUMN.right - text.width, baseline)
        }
      })
    }
  })
}
