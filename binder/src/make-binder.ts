import { describeProvenance } from '@kitseal/kit/internal'
import type { BinderInput } from './binder-input.ts'
import { drawContents, drawCover } from './draw-cover.ts'
import { coverFacts } from './cover-facts.ts'
import { fontLibrary, type LoadGlyphs } from './fonts/typefaces.ts'
import { drawChecklist, textsOfItems } from './draw-checklist.ts'
import { drawFindings, textsOfFindings } from './draw-findings.ts'
import { drawHowToVerify } from './draw-how-to-verify.ts'
import { drawInventory } from './draw-inventory.ts'
import { buildInventory } from './build-inventory.ts'
import type { InventoryFolder } from './build-inventory.ts'
import { drawMeaning } from './draw-meaning.ts'
import { drawProvenance, textsOfProvenance } from './draw-provenance.ts'
import { pdfDocument } from './pdf/pdf-document.ts'
import { drawHeaderAndFooter } from './draw-header-and-footer.ts'
import { type SharedParts, sharedParts } from './shared-parts.ts'
import { startLayout, PAPER } from './layout.ts'
import { escapeInvisible } from './escape-invisible.ts'
import { wordsIn } from './words.ts'

export type { BinderFile, BinderFinding, BinderInput, BinderItem } from './binder-input.ts'

export type BinderMaker = ReturnType<typeof binderMaker>

/** Documents share fonts and the parts that are the same in all of them, so one maker makes them all. */
export function binderMaker() {
  const loadGlyphs = fontLibrary()
  const parts = sharedParts()
  return {
    /**
     * Creates the binder of a kit as PDF. The same input gives the same bytes, in any process. It contains only names, hashes,
     * sizes and types of the evidence.
     */
    make: (input: BinderInput): Promise<Uint8Array> => makeBinder(input, loadGlyphs, parts),
    /** Opens the fonts, so that the first binder does not wait for them. */
    loadFonts: async (): Promise<void> => void (await loadGlyphs({ regular: [], strong: [], mono: [] })),
  }
}

async function makeBinder(
  input: BinderInput,
  loadGlyphs: LoadGlyphs,
  parts: SharedParts,
): Promise<Uint8Array> {
  const scope = escapeInvisible(input.scope)
  const words = wordsIn(input.language ?? 'en')
  const { t, language } = words
  const facts = coverFacts(input, words)
  const inventory = buildInventory(input.files, t('binder.inventory.topFolder'))
  const { folders } = inventory
  const findings = input.findings ?? []
  const items = input.items ?? []
  const provenance = describeProvenance(input.provenance ?? [], input.issuer, true, t)
  // The letters of English are always there.
  const own = language === 'en' ? [] : words.all
  const glyphSets = await loadGlyphs({
    strong: [...own, scope, ...folders.map(({ title }) => title), ...textsOfProvenance(provenance)],
    regular: [
      ...own,
      ...facts.map(({ value }) => value),
      ...namesIn(folders),
      ...textsOfFindings(findings, words),
      ...textsOfItems(items, words),
      ...textsOfProvenance(provenance),
    ],
    mono: [...facts.map(({ value }) => value), escapeInvisible(input.verifyUrl)],
  })

  const document = pdfDocument(
    {
      title: t('binder.title', { name: scope }),
      author: escapeInvisible(input.issuer),
      subject: `${t('binder.subject', { kitId: input.kitId })} ${t('kit.boundary')}`,
      madeAt: input.issuedAt,
      language,
      size: PAPER,
    },
    parts,
  )
  const layout = startLayout(document, glyphSets, parts, words)
  const contents = drawCover(layout, scope, facts)
  const sections = [drawMeaning(layout), drawHowToVerify(layout, input), drawInventory(layout, inventory)]
  if (provenance.length > 0) sections.push(drawProvenance(layout, provenance))
  if (items.length > 0) sections.push(drawChecklist(layout, items))
  if (findings.length > 0) sections.push(drawFindings(layout, findings))
  drawContents(layout, contents, sections)
  drawHeaderAndFooter(layout, input.kitId, t('binder.header'))
  return document.finish()
}

function* namesIn(folders: readonly InventoryFolder[]): Generator<string> {
  for (const { title, files } of folders) {
    yield title
    for (const { name, mediaType } of files) {
      yield name
      yield escapeInvisible(mediaType)
    }
  }
}
