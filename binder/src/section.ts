import { HEADING, PAPER } from './sheet.ts'
import type { Sheet } from './sheet.ts'

/** A chapter of the binder, as the list on the cover shows it. */
export interface Section {
  readonly title: string
  readonly page: number
}

/** Starts a chapter on a page of its own. */
export function openSection(sheet: Sheet, title: string): Section {
  sheet.newPage()
  sheet.document.bookmark({ title, level: 1, page: sheet.page.number, top: PAPER.height - 60 })
  sheet.y += 6
  sheet.paragraph(title, HEADING, { role: 'H2', after: 6 })
  return { title, page: sheet.page.number }
}
