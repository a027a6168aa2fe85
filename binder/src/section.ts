import { HEADING, PAPER } from './layout.ts'
import type { Layout } from './layout.ts'

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
