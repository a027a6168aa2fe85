import { BOUNDARY } from '@kitseal/kit'
import type { Page } from './pdf/pdf-document.ts'
import { COLUMN, HAIRLINE, SOFT } from './sheet.ts'
import type { Sheet, Style } from './sheet.ts'

const SMALL: Style = { face: 'regular', size: 7.5, leading: 10, colour: SOFT }
const SMALL_CODE: Style = { ...SMALL, face: 'mono', size: 7 }

/** What stands above and below every page. Drawn last: the number of pages is known only then. */
export function drawRunningLines(sheet: Sheet, kitId: string): void {
  const { pages } = sheet.document
  const write = (text: string, style: Style, baseline: number, side: 'left' | 'right'): void => {
    for (const line of sheet.wrap(text, style, COLUMN.width).slice(0, 1)) {
      sheet.write(line, style, side === 'left' ? COLUMN.left : COLUMN.right - line.width, baseline)
    }
  }
  const ornaments = (page: Page, drawing: () => void): void =>
    sheet.onPage(page, () => page.ornament(drawing))
  const repeat = (chosen: readonly Page[], drawing: () => void): void =>
    sheet.document.repeat(chosen, (first) => ornaments(first, drawing))

  repeat(pages, () => {
    sheet.fill(COLUMN.left, 784, COLUMN.width, 0.5, HAIRLINE)
    write(BOUNDARY, SMALL, 798, 'left')
  })
  repeat(pages.slice(1), () => {
    write('Evidence binder', SMALL, 52, 'left')
    write(kitId, SMALL_CODE, 52, 'right')
    sheet.fill(COLUMN.left, 60, COLUMN.width, 0.5, HAIRLINE)
  })
  for (const page of pages) {
    ornaments(page, () => write(`${page.number} / ${pages.length}`, SMALL, 798, 'right'))
  }
}
