import type { SharedContent, StreamContent } from './compress.ts'
import type { DocumentFont } from './document-font.ts'
import { type Bookmark, outlineTree } from './outline-tree.ts'
import { pdfFile, type Ref } from './pdf-file.ts'
import { array, bytes, date, dict, number, text } from './pdf-values.ts'
import { writeStructure } from './structure-objects.ts'

export interface PdfInput {
  readonly title: string
  readonly author: string
  readonly subject: string
  readonly madeAt: string
  readonly language: string
  readonly size: { readonly width: number; readonly height: number }
}

/** What a document consists of. */
export interface DocumentParts {
  readonly pages: readonly PageParts[]
  readonly contents: readonly StreamContent[]
  readonly links: readonly Link[]
  readonly fonts: readonly DocumentFont[]
  readonly bookmarks: readonly Bookmark[]
  /** Of the structure tree, with the alternative texts in order. */
  readonly steps: string
  readonly alternatives: readonly string[]
}

interface PageParts {
  readonly shared: readonly SharedContent[]
  /** Indexes of contents and links. */
  readonly contents: readonly number[]
  readonly links: readonly number[]
}

export interface Link {
  readonly address: string
  readonly rectangle: string
}

/** Writes a document as PDF. */
export function writeDocument(input: PdfInput, parts: DocumentParts): Uint8Array {
  const { pages, links, fonts, bookmarks } = parts
  const file = pdfFile()
  const shared = new Map<SharedContent, Ref>()
  for (const content of pages.flatMap((page) => page.shared))
    if (!shared.has(content)) shared.set(content, file.addStream({}, content.stream))
  const contents = parts.contents.map((content) => file.addStream({}, content))
  const resources = file.add(
    dict({
      Font: dict(Object.fromEntries(fonts.map((font) => [font.resource, font.write(file)]))),
    }),
  )
  const pageRefs = pages.map(() => file.reserve())
  // Pages have the first keys of the parent tree.
  const linkRefs = links.map((link, at) => file.add(linkObject(link, pages.length + at)))
  const structure = writeStructure(file, parts, pageRefs, linkRefs)
  const tree = file.reserve()
  for (const [at, page] of pages.entries()) {
    const streams = [
      ...page.shared.map((content) => shared.get(content)),
      ...page.contents.map((content) => contents[content]),
    ]
    const annotations = page.links.flatMap((link) => linkRefs[link] ?? [])
    file.put(
      pageRefs[at] ?? tree,
      dict({
        Type: '/Page',
        Parent: tree,
        MediaBox: array([0, 0, number(input.size.width), number(input.size.height)]),
        Resources: resources,
        Contents: array(streams.flatMap((ref) => ref ?? [])),
        Annots: annotations.length === 0 ? undefined : array(annotations),
        StructParents: at,
        Tabs: '/S',
      }),
    )
  }
  file.put(tree, dict({ Type: '/Pages', Count: pages.length, Kids: array(pageRefs) }))
  const catalog = file.add(
    dict({
      Type: '/Catalog',
      Pages: tree,
      Lang: text(input.language),
      MarkInfo: '<</Marked true>>',
      ViewerPreferences: '<</DisplayDocTitle true>>',
      StructTreeRoot: structure,
      Outlines: outlineTree(file, bookmarks, (page) => pageRefs[page - 1] ?? tree),
      PageMode: '/UseOutlines',
    }),
  )
  return file.finish(catalog, file.add(infoObject(input)))
}

const linkObject = ({ address, rectangle }: Link, key: number): string =>
  dict({
    Type: '/Annot',
    Subtype: '/Link',
    Border: '[0 0 0]',
    F: 4,
    Contents: text(address),
    Rect: rectangle,
    A: dict({ S: '/URI', URI: bytes(address) }),
    StructParent: key,
  })

function infoObject({ title, author, subject, madeAt }: PdfInput): string {
  const made = date(madeAt)
  return dict({
    Title: text(title),
    Author: text(author),
    Subject: text(subject),
    Creator: text('kitseal'),
    CreationDate: made,
    ModDate: made,
  })
}
