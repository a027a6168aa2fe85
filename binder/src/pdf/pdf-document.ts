import type { Typeface } from '../fonts/typeface.ts'
import type { SharedParts } from '../shared-parts.ts'
import { compressPieces, type SharedContent, sharedContent } from './compress.ts'
import { documentFont } from './document-font.ts'
import type { DocumentFont } from './document-font.ts'
import type { Bookmark } from './outline-tree.ts'
import { array, number } from './pdf-values.ts'
import { structureTree } from './structure-tree.ts'
import type { ElementOptions, Role, StructurePart } from './structure-tree.ts'
import { type Link, type PdfInput, writeDocument } from './write-document.ts'

export interface Page {
  readonly number: number
  /** Adds drawing operators (ISO 32000-1, annex A), with a space or a new line behind them. A piece that comes again compresses best. */
  draw(piece: string): void
  /** Draws content of the current element of the structure. */
  content(drawing: () => void): void
  /** Draws an element of the structure. */
  tagged(role: Role, drawing: () => void, options?: ElementOptions): void
  /** Marks decoration, which screen readers skip. */
  artifact(drawing: () => void, type?: 'Layout' | 'Pagination'): void
  /** Makes a box clickable, for the current element. */
  link(
    address: string,
    box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  ): void
}

interface PageInFile extends Page {
  readonly shared: SharedContent[]
  /** Numbers of contents that several pages show. */
  readonly repeated: number[]
  readonly links: number[]
  pieces: string[]
}

export type PdfDocument = ReturnType<typeof pdfDocument>

export function pdfDocument(input: PdfInput, parts: SharedParts) {
  const pages: PageInFile[] = []
  const fonts = new Map<Typeface, DocumentFont>()
  const bookmarks: Bookmark[] = []
  const links: Link[] = []
  /** Drawing operators: what pages repeat, then what each page draws itself. */
  const contents: (readonly string[])[] = []
  const structure = structureTree()

  function addPage(): Page {
    const page = pageInFile(pages.length + 1)
    pages.push(page)
    return page
  }

  function pageInFile(pageNumber: number): PageInFile {
    const content = (drawing: () => void): void => {
      const mcid = structure.addContent(pageNumber - 1)
      page.pieces.push(`/${structure.role}<</MCID ${mcid}>>BDC\n`)
      drawing()
      page.pieces.push('EMC\n')
    }
    const page: PageInFile = {
      number: pageNumber,
      shared: [],
      repeated: [],
      links: [],
      pieces: [],
      draw: (piece) => void page.pieces.push(piece),
      content,
      tagged: (role, drawing, options) => structure.add(role, () => content(drawing), options),
      artifact: (drawing, type = 'Layout') => {
        page.pieces.push(ARTIFACTS[type])
        drawing()
        page.pieces.push('EMC\n')
      },
      link: (address, { x, y, width, height }) => {
        const rectangle = array([x, y, x + width, y + height].map(number))
        page.links.push(links.push({ address, rectangle }) - 1)
        structure.addLink(pageNumber - 1)
      },
    }
    return page
  }

  const inFile = (page: Page): PageInFile => {
    const found = pages[page.number - 1]
    if (found === undefined) throw new Error(`there is no page ${page.number}`)
    return found
  }

  /** The pieces of a drawing on a page, apart from its others. */
  function piecesOf(page: PageInFile, drawing: () => void): readonly string[] {
    const others = page.pieces
    page.pieces = []
    drawing()
    const drawn = page.pieces
    page.pieces = others
    return drawn
  }

  function repeat(chosen: readonly Page[], drawing: (first: Page) => void): void {
    const [first, ...others] = chosen.map(inFile)
    if (first === undefined) return
    const content = contents.push(piecesOf(first, () => drawing(first))) - 1
    for (const page of [first, ...others]) page.repeated.push(content)
  }

  function share(at: Page, drawing: () => void): SharedContent | undefined {
    const page = inFile(at)
    const pageCount = pages.length
    let part: StructurePart | undefined
    const pieces = piecesOf(page, () => (part = structure.record(page.number - 1, drawing)))
    if (part === undefined || pages.length > pageCount) {
      page.pieces.push(...pieces)
      return undefined
    }
    const content = sharedContent(pieces, part)
    page.shared.push(content)
    return content
  }

  function show(at: Page, content: SharedContent): void {
    const page = inFile(at)
    page.shared.push(content)
    structure.replay(page.number - 1, content.structure)
  }

  function font(typeface: Typeface): DocumentFont {
    const known = fonts.get(typeface)
    if (known !== undefined) return known
    const made = documentFont(typeface, parts.fontOf(typeface), `F${fonts.size + 1}`)
    fonts.set(typeface, made)
    return made
  }

  function finish(): Uint8Array {
    const shown = pages.map(({ shared, repeated, links: linked, pieces }) => {
      const own = pieces.length === 0 ? [] : [contents.push(pieces) - 1]
      return { shared, contents: [...own, ...repeated], links: linked }
    })
    return writeDocument(input, {
      pages: shown,
      contents: contents.map(compressPieces),
      links,
      fonts: [...fonts.values()],
      bookmarks,
      steps: structure.steps(),
      alternatives: structure.alternatives,
    })
  }

  return {
    pages,
    addPage,
    /** Draws the same content on several pages, stored once. */
    repeat,
    /** Draws content without links and bookmarks that other documents may show, too. Undefined if it needs several pages. */
    share,
    /** Shows it on a page that has as much marked content as the one where it was drawn. It is below what the document draws. */
    show,
    /** How much marked content a page has. */
    contentsOf: (page: Page): number => structure.contentsOf(page.number - 1),
    font,
    bookmark: (bookmark: Bookmark): void => void bookmarks.push(bookmark),
    /** Groups what is drawn under an element of the structure. */
    element: structure.add,
    /** Adds an element that is filled later. */
    reserveElement: structure.reserve,
    fillElement: structure.fill,
    finish,
  }
}

const ARTIFACTS = {
  Layout: '/Artifact<</Type/Layout>>BDC\n',
  Pagination: '/Artifact<</Type/Pagination>>BDC\n',
}
