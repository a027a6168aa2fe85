import type { BinderItem } from './binder-input.ts'
import { formatNumber, type Words } from './words.ts'
import { escapeInvisible } from './escape-invisible.ts'
import {
  COLUMN,
  HAIRLINE,
  INK,
  NOTE,
  SOFT,
  openSection,
  type Layout,
  type Section,
  type Style,
} from './layout.ts'

const ITEM: Style = { face: 'regular', size: 9.5, leading: 12.5, colour: INK }
const FILE: Style = { face: 'regular', size: 8.5, leading: 12, colour: SOFT, isPath: true }
const FILES_LEFT = COLUMN.left + COLUMN.width / 2
const MAX_FILES = 100

/** A table: what was asked for, and the files for it. */
export function drawChecklist(layout: Layout, items: readonly BinderItem[]): Section {
  const section = openSection(layout, layout.t('binder.checklist.title'))
  layout.paragraph(layout.t('binder.checklist.lead'), NOTE, { after: 10 })
  layout.document.element('Table', () => {
    layout.document.element('TR', () => {
      for (const [label, x] of [
        [layout.t('binder.checklist.item'), COLUMN.left],
        [layout.t('binder.checklist.files'), FILES_LEFT],
      ] as const)
        for (const line of layout.wrap(label, FILE, 80))
          layout.page.tagged('TH', () => layout.write(line, FILE, x, layout.y), { scope: 'Column' })
    })
    for (const item of items) drawItem(layout, item)
  })
  return section
}

/** The texts that need glyphs. */
export function* textsOfItems(items: readonly BinderItem[], words: Words): Generator<string> {
  for (const item of items) yield* [titleOf(item), ...linesOf(item, words)]
}

const titleOf = ({ id, title }: BinderItem): string => escapeInvisible(`${id}  ${title}`)

function linesOf({ files, note }: BinderItem, words: Words): readonly string[] {
  const more =
    files.length > MAX_FILES
      ? [words.t('binder.more', { count: formatNumber(files.length - MAX_FILES, words) })]
      : []
  const shown = [...files.slice(0, MAX_FILES), ...more, ...(note === undefined ? [] : [note])]
  return (shown.length === 0 ? [words.t('binder.checklist.none')] : shown).map(escapeInvisible)
}

function drawItem(layout: Layout, item: BinderItem): void {
  const width = COLUMN.width / 2
  const title = layout.wrap(titleOf(item), ITEM, width - 12)
  const lines = linesOf(item, layout.words).flatMap((line) => layout.wrap(line, FILE, width))
  layout.ensureSpace(Math.min(Math.max(title.length, lines.length) * ITEM.leading + 20, 600))
  layout.y += 12.5
  layout.document.element('TR', () => {
    const top = layout.y
    layout.writeLines(title, ITEM, { x: COLUMN.left, role: 'TD' })
    const below = layout.y
    layout.y = top
    layout.writeLines(lines, FILE, { x: FILES_LEFT, role: 'TD' })
    layout.y = Math.max(layout.y, below)
  })
  layout.page.artifact(() => layout.fill(COLUMN.left, layout.y, COLUMN.width, 0.4, HAIRLINE))
}
