import {
  ACCENT,
  BODY,
  COLUMN,
  NOTE,
  SUBHEADING,
  TINT,
  openSection,
  type Layout,
  type Section,
} from './layout.ts'

const TEXT_LEFT = COLUMN.left + 22
const BOX_PADDING = 16

export function drawMeaning(layout: Layout): Section {
  const section = openSection(layout, layout.t('binder.meaning.title'))
  layout.fixed('meaning', () => drawLists(layout))
  return section
}

function drawLists(layout: Layout): void {
  const { t } = layout
  layout.paragraph(t('binder.meaning.proves'), SUBHEADING, { role: 'H3', after: 4 })
  layout.document.element('L', () => {
    for (const number of [1, 2, 3, 4, 5] as const)
      drawItem(layout, String(number), t(`binder.meaning.proved.${number}`))
  })
  layout.y += 18
  layout.paragraph(t('binder.meaning.provesNot'), SUBHEADING, { role: 'H3', after: 4 })
  layout.document.element('L', () => {
    for (const number of [1, 2, 3, 4] as const) drawItem(layout, '–', t(`binder.meaning.notProved.${number}`))
  })
  layout.y += 26
  drawBoundary(layout)
}

function drawItem(layout: Layout, mark: string, text: string): void {
  const style = { ...BODY, face: 'strong', colour: ACCENT } as const
  layout.document.element('LI', () => {
    layout.page.tagged('Lbl', () => {
      for (const line of layout.wrap(mark, style, 20)) layout.write(line, style, COLUMN.left, layout.y)
    })
    const width = COLUMN.right - TEXT_LEFT
    layout.paragraph(text, BODY, { x: TEXT_LEFT, width, role: 'LBody', after: 4 })
  })
}

function drawBoundary(layout: Layout): void {
  const boundary = layout.t('binder.meaning.boundary')
  const style = { ...NOTE, size: 9, leading: 14 }
  const width = COLUMN.width - BOX_PADDING * 2
  const height = layout.wrap(boundary, style, width).length * style.leading + BOX_PADDING * 2 + 17
  layout.page.artifact(() => layout.fill(COLUMN.left, layout.y, COLUMN.width, height, TINT))
  layout.y += BOX_PADDING + 10
  const place = { x: COLUMN.left + BOX_PADDING, width }
  layout.paragraph(layout.t('binder.meaning.limits'), { ...SUBHEADING, size: 10 }, { ...place, role: 'H3' })
  layout.paragraph(boundary, style, place)
}
