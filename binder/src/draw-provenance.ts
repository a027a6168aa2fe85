import type { ProvenanceGroup } from '@kitseal/kit/internal'
import { shortened } from './escape-invisible.ts'
import { formatNumber } from './words.ts'
import {
  ACCENT,
  COLUMN,
  INK,
  NOTE,
  SOFT,
  SUBHEADING,
  openSection,
  type Layout,
  type Section,
  type Style,
} from './layout.ts'

const MAX_SHOWN = 200
const MAX_LENGTH = 600
const LABEL_WIDTH = 62
const PAPER_WHITE = '1 1 1'
const TEXT_LEFT = COLUMN.left + LABEL_WIDTH
const TEXT: Style = { face: 'regular', size: 9.5, leading: 12.5, colour: INK }
const FILES: Style = { face: 'regular', size: 8.5, leading: 12, colour: SOFT, isPath: true }
/** The word says it too, for those who see no difference in weight and colour. */
const LABELS: Readonly<Record<ProvenanceGroup['is'], Style>> = {
  verified: { face: 'strong', size: 9, leading: 12.5, colour: ACCENT },
  stated: { face: 'regular', size: 9, leading: 12.5, colour: SOFT },
}

/** What the service verified, and what others state, under different headings. */
export function drawProvenance(layout: Layout, groups: readonly ProvenanceGroup[]): Section {
  const section = openSection(layout, layout.t('binder.provenance.title'))
  layout.paragraph(layout.t('binder.provenance.lead'), NOTE, { after: 10 })
  for (const group of groups) drawGroup(layout, group)
  return section
}

/** The texts that need glyphs. */
export function* textsOfProvenance(groups: readonly ProvenanceGroup[]): Generator<string> {
  for (const { heading, lines } of groups) {
    yield heading
    for (const { files, text } of lines.slice(0, MAX_SHOWN)) yield* [limited(files), limited(text)]
  }
}

function drawGroup(layout: Layout, { is, heading, lines }: ProvenanceGroup): void {
  layout.ensureSpace(80)
  layout.y += 12
  layout.paragraph(heading, SUBHEADING, { role: 'H3', after: 2 })
  layout.document.element('L', () => {
    for (const { files, text } of lines.slice(0, MAX_SHOWN)) {
      layout.ensureSpace(46)
      layout.y += 8
      layout.document.element('LI', () => {
        drawMark(layout, is)
        layout.page.tagged('Lbl', () => {
          for (const line of layout.wrap(layout.t(`binder.provenance.words.${is}`), LABELS[is], LABEL_WIDTH))
            layout.write(line, LABELS[is], COLUMN.left + MARK_WIDTH, layout.y)
        })
        const place = { x: TEXT_LEFT, width: COLUMN.right - TEXT_LEFT, role: 'LBody' } as const
        layout.paragraph(limited(text), TEXT, place)
        layout.paragraph(limited(files), FILES, place)
      })
    }
  })
  if (lines.length <= MAX_SHOWN) return
  layout.y += 8
  layout.paragraph(
    layout.t('binder.more', { count: formatNumber(lines.length - MAX_SHOWN, layout.words) }),
    FILES,
  )
}

const MARK_WIDTH = 10

/** A full square, or an empty one. Drawn, because the check mark of other pages is in a font of its own, which takes longer than the rest. */
function drawMark(layout: Layout, is: ProvenanceGroup['is']): void {
  const [x, top, size] = [COLUMN.left, layout.y - 6, 6]
  layout.page.artifact(() => {
    layout.fill(x, top, size, size, LABELS[is].colour)
    if (is === 'stated') layout.fill(x + 0.7, top + 0.7, size - 1.4, size - 1.4, PAPER_WHITE)
  })
}

const limited = (text: string): string => shortened(text, MAX_LENGTH)
