import { number } from '../pdf/pdf-values.ts'
import { count, grouped } from '../readable-numbers.ts'
import { openSection } from '../section.ts'
import type { Section } from '../section.ts'
import { COLUMN, INK, NOTE, PAPER, SOFT, TINT } from '../sheet.ts'
import type { Sheet, Style } from '../sheet.ts'
import type { Picture, Pictures } from './choose-pictures.ts'
import type { JpegPicture } from './jpeg-picture.ts'

const CAPTION: Style = { face: 'regular', size: 7.5, leading: 10, colour: INK }
const PLACEHOLDER: Style = { ...CAPTION, colour: SOFT }
const COLUMNS = 3
const GAP = 18
const CELL = { width: (COLUMN.width - GAP * (COLUMNS - 1)) / COLUMNS, height: 104 }
const ROW_HEIGHT = CELL.height + 42

export function drawPictures(sheet: Sheet, { chosen, leftOut }: Pictures): Section {
  const section = openSection(sheet, 'Pictures')
  sheet.paragraph(
    'Small views of pictures in the evidence, with their numbers in the inventory. They are there to recognise files by; ' +
      `the files themselves are in the kit.${leftOut === 0 ? '' : ` ${count(leftOut, 'more picture')} ${leftOut === 1 ? 'is' : 'are'} not shown here.`}`,
    NOTE,
    { after: 6 },
  )
  for (let at = 0; at < chosen.length; at += COLUMNS) {
    sheet.keep(ROW_HEIGHT)
    for (const [column, picture] of chosen.slice(at, at + COLUMNS).entries()) {
      drawPicture(sheet, picture, COLUMN.left + column * (CELL.width + GAP))
    }
    sheet.y += ROW_HEIGHT
  }
  return section
}

function drawPicture(sheet: Sheet, { file, shown }: Picture, x: number): void {
  const { page, y: top } = sheet
  page.ornament(() => sheet.fill(x, top, CELL.width, CELL.height, TINT))
  page.tagged(
    'Figure',
    () => {
      if (shown === undefined) {
        for (const line of sheet.wrap('No preview', PLACEHOLDER, CELL.width)) {
          sheet.write(line, PLACEHOLDER, x + (CELL.width - line.width) / 2, top + CELL.height / 2 + 3)
        }
      } else {
        page.draw(fitted(shown, sheet.document.image(shown.image), x, PAPER.height - top - CELL.height))
      }
    },
    `Picture ${file.number}, ${file.name}`,
  )
  page.tagged('P', () => {
    const lines = sheet.wrap(`${grouped(file.number)}  ${file.name}`, CAPTION, CELL.width)
    for (const [index, line] of lines.slice(0, 3).entries()) {
      sheet.write(line, CAPTION, x, top + CELL.height + 12 + index * CAPTION.leading)
    }
  })
}

// Where the unit square of a picture goes for each way in which a camera can be held (Exif 2.3, tag 0112):
// a b c d e f of the matrix that puts it upright into the unit square again.
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

function fitted({ image, orientation }: JpegPicture, name: string, x: number, y: number): string {
  const lies = orientation >= 5
  const [width, height] = lies ? [image.height, image.width] : [image.width, image.height]
  // Small pictures are not blown up: a pixel is at most one point wide.
  const scale = Math.min(CELL.width / width, CELL.height / height, 1)
  const [w, h] = [width * scale, height * scale]
  const place = [w, 0, 0, h, x + (CELL.width - w) / 2, y + (CELL.height - h) / 2].map(number).join(' ')
  const turn = (UPRIGHT[orientation - 1] ?? UPRIGHT[0] ?? []).join(' ')
  return `q ${place} cm ${turn} cm /${name} Do Q`
}
