import type { Typeface } from '../fonts/typeface.ts'
import { documentFont } from './document-font.ts'
import type { DocumentFont } from './document-font.ts'
import { outlineTree } from './outline-tree.ts'
import type { Bookmark } from './outline-tree.ts'
import { pdfFile } from './pdf-file.ts'
import type { Ref } from './pdf-file.ts'
import { array, bytes, date, dict, number, text } from './pdf-values.ts'
import { structureTree } from './structure-tree.ts'
import type { Element, ElementOptions, Role } from './structure-tree.ts'

export interface PdfInput {
  readonly title: string
  readonly author: string
  readonly subject: string
  readonly madeAt: string
  readonly language: string
  readonly size: { readonly width: number; readonly height: number }
}

/** An image as it is embedded: compressed samples, or a JPEG. */
export interface PdfImage {
  readonly width: number
  readonly height: number
  readonly colours: 'gray' | 'rgb'
  readonly data: Uint8Array
  readonly compression: 'jpeg' | 'flate'
}

export interface Page {
  readonly number: number
  /** Adds drawing operators (ISO 32000-1, annex A). */
  draw(operators: string): void
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

export interface PdfDocument {
  readonly pages: readonly Page[]
  addPage(): Page
  /** Draws the same content on several pages, stored once. */
  repeat(pages: readonly Page[], drawing: (first: Page) => void): void
  font(typeface: Typeface): DocumentFont
  /** @returns the resource name */
  image(image: PdfImage): string
  bookmark(bookmark: Bookmark): void
  /** Groups what is drawn under an element of the structure. */
  element(role: Role, drawing: () => void): void
  /** Adds an element that is filled later. */
  reserveElement(role: Role): Element
  fillElement(element: Element, drawing: () => void): void
  finish(): Uint8Array
}

interface PageInFile extends Page {
  readonly ref: Ref
  readonly links: Link[]
  /** Writes what was drawn so far as a content stream. */
  flush(): void
  readonly streams: Ref[]
}

interface Link {
  readonly ref: Ref
  readonly address: string
  readonly rectangle: string
}

export function pdfDocument(input: PdfInput): PdfDocument {
  const file = pdfFile()
  const pages: PageInFile[] = []
  const fonts = new Map<Typeface, DocumentFont>()
  const images = new Map<string, Ref>()
  const bookmarks: Bookmark[] = []
  const structure = structureTree(file)

  function addPage(): Page {
    pages.at(-1)?.flush()
    const page = pageInFile(pages.length + 1)
    pages.push(page)
    return page
  }

  function pageInFile(pageNumber: number): PageInFile {
    let operators: string[] = []
    const ref = file.reserve()
    const streams: Ref[] = []
    const links: Link[] = []
    const draw = (more: string): void => void operators.push(more)
    const content = (drawing: () => void): void => {
      draw(`/${structure.current.role} <</MCID ${structure.addContent(pageNumber - 1)}>> BDC`)
      drawing()
      draw('EMC')
    }
    return {
      number: pageNumber,
      ref,
      streams,
      links,
      draw,
      content,
      tagged: (role, drawing, options) => structure.add(role, () => content(drawing), options),
      artifact: (drawing, type = 'Layout') => {
        draw(`/Artifact <</Type/${type}>> BDC`)
        drawing()
        draw('EMC')
      },
      link: (address, { x, y, width, height }) => {
        const link = {
          ref: file.reserve(),
          address,
          rectangle: array([x, y, x + width, y + height].map(number)),
        }
        links.push(link)
        structure.addLink(pageNumber - 1, link.ref)
      },
      flush: () => {
        if (operators.length > 0) streams.push(file.stream({}, Buffer.from(operators.join('\n'), 'latin1')))
        operators = []
      },
    }
  }

  function repeat(chosen: readonly Page[], drawing: (first: Page) => void): void {
    const included = new Set(chosen)
    const [first, ...others] = pages.filter((page) => included.has(page))
    if (first === undefined) return
    first.flush()
    drawing(first)
    first.flush()
    for (const other of others) {
      other.flush()
      other.streams.push(...first.streams.slice(-1))
    }
  }

  function font(typeface: Typeface): DocumentFont {
    const known = fonts.get(typeface)
    if (known !== undefined) return known
    const made = documentFont(file, typeface, `F${fonts.size + 1}`)
    fonts.set(typeface, made)
    return made
  }

  function image({ width, height, colours, data, compression }: PdfImage): string {
    const name = `I${images.size + 1}`
    const head = {
      Type: '/XObject',
      Subtype: '/Image',
      Width: width,
      Height: height,
      ColorSpace: colours === 'gray' ? '/DeviceGray' : '/DeviceRGB',
      BitsPerComponent: 8,
      Filter: compression === 'jpeg' ? '/DCTDecode' : '/FlateDecode',
    }
    images.set(name, file.stream(head, data))
    return name
  }

  function finish(): Uint8Array {
    for (const page of pages) page.flush()
    const used = [...fonts.values()].filter((one) => one.isUsed())
    for (const one of used) one.write()
    const resources = file.add(
      dict({
        Font: dict(Object.fromEntries(used.map(({ resource, ref }) => [resource, ref]))),
        XObject: dict(Object.fromEntries(images)),
      }),
    )
    const tree = file.reserve()
    for (const page of pages) {
      file.put(
        page.ref,
        dict({
          Type: '/Page',
          Parent: tree,
          MediaBox: array([0, 0, number(input.size.width), number(input.size.height)]),
          Resources: resources,
          Contents: array(page.streams),
          Annots: page.links.length === 0 ? undefined : array(page.links.map(({ ref }) => ref)),
          StructParents: page.number - 1,
          Tabs: '/S',
        }),
      )
    }
    file.put(tree, dict({ Type: '/Pages', Count: pages.length, Kids: array(pages.map(({ ref }) => ref)) }))
    writeLinks()
    const catalog = file.add(
      dict({
        Type: '/Catalog',
        Pages: tree,
        Lang: text(input.language),
        MarkInfo: '<</Marked true>>',
        ViewerPreferences: '<</DisplayDocTitle true>>',
        StructTreeRoot: structure.write(pages.map(({ ref }) => ref)),
        Outlines: outlineTree(file, bookmarks, (pageNumber) => pages[pageNumber - 1]?.ref ?? tree),
        PageMode: '/UseOutlines',
      }),
    )
    const info = file.addUncompressed(
      dict({
        Title: text(input.title),
        Author: text(input.author),
        Subject: text(input.subject),
        Creator: text('kitseal'),
        CreationDate: date(input.madeAt),
        ModDate: date(input.madeAt),
      }),
    )
    return file.finish({ catalog, info })
  }

  function writeLinks(): void {
    const keys = structure.linkKeys(pages.length)
    for (const { ref, address, rectangle } of pages.flatMap(({ links }) => links)) {
      file.putUncompressed(
        ref,
        dict({
          Type: '/Annot',
          Subtype: '/Link',
          Border: '[0 0 0]',
          F: 4,
          Contents: text(address),
          Rect: rectangle,
          A: dict({ S: '/URI', URI: bytes(address) }),
          StructParent: keys.get(ref),
        }),
      )
    }
  }

  return {
    pages,
    addPage,
    repeat,
    font,
    image,
    bookmark: (bookmark) => void bookmarks.push(bookmark),
    element: structure.add,
    reserveElement: structure.reserve,
    fillElement: structure.fill,
    finish,
  }
}
