import type { Page } from './pdf/pdf-document.ts'
import { COLUMN, HAIRLINE, SOFT, type Layout, type Style } from './layout.ts'

const SMALL: Style = { face: 'regular', size: 7.5, leading: 10, colour: SOFT }
const SMALL_CODE: Style = { ...SMALL, face: 'mono', size: 7 }

/** Draws the header and footer of every page. Called last, when the number of pages is known. */
export function drawHeaderAndFooter(layout: Layout, kitId: string, title: string): void {
  const { pages } = layout.document
  const write = (text: string, style: Style, baseline: number, side: 'left' | 'right'): void => {
    for (const line of layout.wrap(text, style, COLUMN.width).slice(0, 1)) {
      layout.write(line, style, side === 'left' ? COLUMN.left : COLUMN.right - line.width, baseline)
    }
  }
  const drawArtifact = (page: Page, drawing: () => void): void =>
    layout.onPage(page, () => page.artifact(drawing, 'Pagination'))
  const drawFixed = (page: Page, name: string, drawing: () => void): void =>
    layout.onPage(page, () => layout.fixedArtifact(name, () => page.artifact(drawing, 'Pagination')))

  for (const page of pages) {
    drawFixed(page, 'footer', () => {
      layout.fill(COLUMN.left, 784, COLUMN.width, 0.5, HAIRLINE)
      write(layout.t('kit.boundary'), SMALL, 798, 'left')
    })
  }
  const others = pages.slice(1)
  for (const page of others) {
    drawFixed(page, `header ${title}`, () => {
      write(title, SMALL, 52, 'left')
      layout.fill(COLUMN.left, 60, COLUMN.width, 0.5, HAIRLINE)
    })
  }
  layout.document.repeat(others, (first) => drawArtifact(first, () => write(kitId, SMALL_CODE, 52, 'right')))
  for (const page of pages) {
    drawArtifact(page, () => write(`${page.number} / ${pages.length}`, SMALL, 798, 'right'))
  }
}
