// docs/decisions/0230
import { BOUNDARY } from '@kitseal/kit'
import type { BinderInput } from './binder-input.ts'
import { drawContents, drawCover } from './cover.ts'
import { coverFacts } from './cover-facts.ts'
import { lettersFor } from './fonts/typefaces.ts'
import { drawHowToVerify } from './how-to-verify.ts'
import { drawInventory } from './inventory.ts'
import { takeInventory } from './take-inventory.ts'
import type { InventoryFolder } from './take-inventory.ts'
import { drawMeaning } from './meaning.ts'
import { pdfDocument } from './pdf/pdf-document.ts'
import { choosePictures } from './pictures/choose-pictures.ts'
import { drawPictures } from './pictures/picture-pages.ts'
import { drawRunningLines } from './running-lines.ts'
import { openSheet, PAPER } from './sheet.ts'
import { visibleText } from './visible-text.ts'

export type { BinderFile, BinderInput } from './binder-input.ts'

/**
 * The binder of a kit as a PDF that one can hand to an auditor. The same input gives the same bytes, in any process.
 * Of the evidence it shows names, hashes, sizes, types and small pictures, and nothing else.
 */
export async function makeBinder(input: BinderInput): Promise<Uint8Array> {
  const scope = visibleText(input.scope)
  const facts = coverFacts(input)
  const inventory = takeInventory(input.files)
  const { folders } = inventory
  const letters = await lettersFor({
    strong: [scope, ...folders.map(({ title }) => title)],
    regular: [...facts.map(({ value }) => value), ...namesIn(folders)],
    mono: [...facts.map(({ value }) => value), visibleText(input.verifyUrl)],
  })
  const pictures = await choosePictures(folders, input.images)

  const document = pdfDocument({
    title: `Evidence binder: ${scope}`,
    author: visibleText(input.issuer),
    subject: `Kit ${input.kitId}. ${BOUNDARY}`,
    madeAt: input.issuedAt,
    language: 'en',
    size: PAPER,
  })
  const sheet = openSheet(document, letters)
  const contents = drawCover(sheet, scope, facts)
  const sections = [drawMeaning(sheet), drawHowToVerify(sheet, input), drawInventory(sheet, inventory)]
  if (pictures.chosen.length > 0) sections.push(drawPictures(sheet, pictures))
  drawContents(sheet, contents, sections)
  drawRunningLines(sheet, input.kitId)
  return document.finish()
}

function* namesIn(folders: readonly InventoryFolder[]): Generator<string> {
  for (const { title, files } of folders) {
    yield title
    for (const { name, mediaType } of files) {
      yield name
      yield visibleText(mediaType)
    }
  }
}
