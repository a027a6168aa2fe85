// docs/decisions/0442
import { LruCache } from '../lru-cache.ts'
import { compress, compressShared, type StreamContent } from './compress.ts'
import type { DocumentFont } from './document-font.ts'
import type { Bookmark, Outline } from './outline-tree.ts'
import { outlineTree } from './outline-tree.ts'
import { type FileStart, pdfFile, type Ref } from './pdf-file.ts'
import { array, dict, number, text } from './pdf-values.ts'
import type { SharedContent } from './shared-content.ts'
import { type StructureObjects, writeStructure } from './structure-objects.ts'

/** What a document consists of, without the content of its pages. */
export interface Shape {
  readonly language: string
  readonly size: { readonly width: number; readonly height: number }
  readonly pages: readonly PageShape[]
  readonly fonts: readonly DocumentFont[]
  readonly imageCount: number
  readonly bookmarks: readonly Bookmark[]
  /** Of the structure tree. */
  readonly steps: string
}

export interface PageShape {
  readonly shared: readonly SharedContent[]
  /** Numbers of contents of this document. */
  readonly contents: readonly number[]
  /** Numbers of links. */
  readonly links: readonly number[]
}

/** The part of a file that depends on its shape only: fonts, pages, tags, outline. */
export interface Skeleton extends StructureObjects {
  readonly start: FileStart
  readonly catalog: Ref
  readonly info: Ref
  readonly contents: readonly Ref[]
  readonly images: readonly Ref[]
  readonly untitled: Outline['untitled']
}

const MAX_KEY_LENGTH = 16_384
const skeletons = new LruCache<Skeleton>(64)

/** Binders of small kits have few different shapes, so the skeleton is made once for each. */
export function skeletonOf(shape: Shape): Skeleton {
  if (!shape.fonts.every((font) => font.isBasic())) return makeSkeleton(shape, compress)
  const key = keyOf(shape)
  if (key.length > MAX_KEY_LENGTH) return makeSkeleton(shape, compress)
  const known = skeletons.get(key)
  if (known !== undefined) return known
  const made = makeSkeleton(shape, compressShared)
  skeletons.set(key, made)
  return made
}

/** The titles of folders differ from kit to kit. In a long outline they are compressed with the rest. */
const MAX_OWN_TITLES = 20
const isUntitled = ({ level }: Bookmark, { length }: readonly Bookmark[]): boolean =>
  level === 2 && length <= MAX_OWN_TITLES

/** Everything that `makeSkeleton` uses. Fonts with basic glyphs differ by name only. */
function keyOf({ language, size, pages, fonts, imageCount, bookmarks, steps }: Shape): string {
  const lists = pages.map(
    ({ shared, contents, links }) =>
      `${shared.map(({ id }) => id).join(' ')}/${contents.join(' ')}/${links.join(' ')}`,
  )
  const names = fonts.map(({ name }) => name).join(' ')
  const head = `${JSON.stringify(language)} ${size.width} ${size.height} ${imageCount} ${names}`
  const outline = bookmarks.map((one) => (isUntitled(one, bookmarks) ? { ...one, title: null } : one))
  return `${head}\n${lists.join('|')}\n${JSON.stringify(outline)}\n${steps}`
}

function makeSkeleton(
  { language, size, pages, fonts, imageCount, bookmarks, steps }: Shape,
  compressObjects: (content: Uint8Array) => StreamContent,
): Skeleton {
  const file = pdfFile(compressObjects)
  const pageRefs = pages.map(() => file.reserve())
  const sharedRefs = new Map<SharedContent, Ref>()
  for (const content of pages.flatMap(({ shared }) => shared)) {
    if (sharedRefs.has(content)) continue
    const ref = file.reserve()
    sharedRefs.set(content, ref)
    file.putStream(ref, {}, content.stream)
  }
  const contents = Array.from({ length: contentCount(pages) }, () => file.reserve())
  const images = Array.from({ length: imageCount }, () => file.reserve())
  const resources = file.add(
    dict({
      Font: dict(Object.fromEntries(fonts.map((font) => [font.resource, font.write(file)]))),
      XObject: dict(Object.fromEntries(images.map((ref, at) => [`I${at + 1}`, ref]))),
    }),
  )
  const structure = writeStructure(file, steps, pageRefs)
  const tree = file.reserve()
  for (const [at, page] of pages.entries()) {
    const streams = [
      ...page.shared.map((content) => sharedRefs.get(content)),
      ...page.contents.map((content) => contents[content]),
    ]
    const links = page.links.map((link) => structure.links[link]?.ref)
    file.put(
      pageRefs[at] ?? tree,
      dict({
        Type: '/Page',
        Parent: tree,
        MediaBox: array([0, 0, number(size.width), number(size.height)]),
        Resources: resources,
        Contents: array(streams.flatMap((ref) => ref ?? [])),
        Annots: links.length === 0 ? undefined : array(links.flatMap((ref) => ref ?? [])),
        StructParents: at,
        Tabs: '/S',
      }),
    )
  }
  file.put(tree, dict({ Type: '/Pages', Count: pages.length, Kids: array(pageRefs) }))
  const outline = outlineTree(
    file,
    bookmarks,
    (page) => pageRefs[page - 1] ?? tree,
    (one) => isUntitled(one, bookmarks),
  )
  const catalog = file.add(
    dict({
      Type: '/Catalog',
      Pages: tree,
      Lang: text(language),
      MarkInfo: '<</Marked true>>',
      ViewerPreferences: '<</DisplayDocTitle true>>',
      StructTreeRoot: structure.root,
      Outlines: outline.root,
      PageMode: '/UseOutlines',
    }),
  )
  const info = file.reserve()
  const { untitled } = outline
  return { ...structure, start: file.start(), catalog, info, contents, images, untitled }
}

const contentCount = (pages: readonly PageShape[]): number =>
  new Set(pages.flatMap(({ contents }) => contents)).size
