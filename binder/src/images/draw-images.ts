import { number } from '../pdf/pdf-values.ts'
import { counted, fill, formatNumber } from '../format-values.ts'
import { openSection } from '../section.ts'
import type { Section } from '../section.ts'
import { COLUMN, INK, NOTE, PAPER, SOFT, TINT } from '../layout.ts'
import type { Layout, Style } from '../layout.ts'
import type { ChosenImage, ChosenImages } from './choose-images.ts'
import type { OrientedImage } from './jpeg-image.ts'

const CAPTION: Style = { face: 'regular', size: 7.5, leading: 10, colour: INK, isPath: true }
const PLACEHOLDER: Style = { ...CAPTION, colour: SOFT }
const COLUMNS = 3
const GAP = 18
const CELL = { width: (COLUMN.width - GAP * (COLUMNS - 1)) / COLUMNS, height: 104 }
const ROW_HEIGHT = CELL.height + 42

export function drawImages(layout: Layout, { chosen, leftOut }: ChosenImages): Section {
  const section = openSection(layout, layout.t.images.title)
  const { t } = layout
  const more = leftOut === 0 ? [] : [counted(leftOut, t.images.leftOut, layout.language)]
  layout.paragraph([t.images.lead, ...more].join(' '), NOTE, { after: 6 })
  for (let at = 0; at < chosen.length; at += COLUMNS) {
    layout.ensureSpace(ROW_HEIGHT)
    for (const [column, image] of chosen.slice(at, at + COLUMNS).entries()) {
      drawImage(layout, image, COLUMN.left + column * (CELL.width + GAP))
    }
    layout.y += ROW_HEIGHT
  }
  return section
}

function drawImage(layout: Layout, { file, preview }: ChosenImage, x: number): void {
  const { page, y: top } = layout
  page.artifact(() => layout.fill(x, top, CELL.width, CELL.height, TINT))
  page.tagged(
    'Figure',
    () => {
      if (preview === undefined) {
        for (const line of layout.wrap(layout.t.images.none, PLACEHOLDER, CELL.width)) {
          layout.write(line, PLACEHOLDER, x + (CELL.width - line.width) / 2, top + CELL.height / 2 + 3)
        }
      } else {
        page.draw(fitted(preview, layout.document.image(preview.image), x, PAPER.height - top - CELL.height))
      }
    },
    { alternative: fill(layout.t.images.alternative, { number: String(file.number), name: file.name }) },
  )
  page.tagged('P', () => {
    const lines = layout.wrap(
      `${formatNumber(file.number, layout.language)}  ${file.name}`,
      CAPTION,
      CELL.width,
    )
    for (const [index, line] of lines.slice(0, 3).entries()) {
      layout.write(line, CAPTION, x, top + CELL.height + 12 + index * CAPTION.leading)
    }
  })
}

// The transformation matrix (a b c d e f) that turns an image upright, by Exif orientation (Exif 2.3, tag 0112).
const UPRIGHT: readonly (readonly [number, number, number, number, number, number])[] = [
  [1, 0, 0, 1, 0, 0],
  [-1, 0, 0, 1, 1, 0],
  [-1, 0, 0, -1, 1, 1],
  [1, 0, 0, -1, 0, 1],
  [0, -1, -1, 0, 1, 1],
  [0, -1, 1, 0, 0, 1],
  [0, 1, 1, 0, 0, 0],
  [0, 1, -1, 0, 1, 0],
]

function fitted({ image, orientation }: OrientedImage, name: string, x: number, y: number): string {
  const isRotated = orientation >= 5
  const [width, height] = isRotated ? [image.height, image.width] : [image.width, image.height]
  // Small images are not enlarged: a pixel is at most one point wide.
  const scale = Math.min(CELL.width / width, CELL.height / height, 1)
  const [w, h] = [width * scale, height * scale]
  const place = [w, 0, 0, h, x + (CELL.width - w) / 2, y + (CELL.height - h) / 2].map(number).join(' ')
  const turn = (UPRIGHT[orientation - 1] ?? UPRIGHT[0] ?? []).join(' ')
  return `q ${place} cm ${turn} cm /${name} Do Q\n`
}
