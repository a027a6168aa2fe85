import type { LruCache } from '../lru-cache.ts'
import { type Compression, OWN, SHARED, type SharedContent } from './compress.ts'
import type { DocumentFont } from './document-font.ts'
import type { Bookmark, Outline } from './outline-tree.ts'
import { outlineTree } from './outline-tree.ts'
import { type FileStart, pdfFile, type Ref, refOf } from './pdf-file.ts'
import { array, dict, number, text } from './pdf-values.ts'
import { type StructureObjects, writeStructure } from './structure-objects.ts'

/** What a document consists of, without the content of its pages. */
export interface Shape {
  readonly language: string
  readonly size: { readonly width: number; readonly height: number }
  readonly pages: readonly PageShape[]
  readonly fonts: readonly DocumentFont[]
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
  readonly untitled: Outline['untitled']
}

const MAX_KEY_LENGTH = 16_384

/** Binders of small kits have few different shapes, so the skeleton is made once for each. */
export function skeletonOf(shape: Shape, skeletons: LruCache<Skeleton>): Skeleton {
  if (!shape.fonts.every((font) => font.isBasic())) return makeSkeleton(shape, OWN)
  const key = keyOf(shape)
  if (key.length > MAX_KEY_LENGTH) return makeSkeleton(shape, OWN)
  const known = skeletons.get(key)
  if (known !== undefined) return known
  const made = makeSkeleton(shape, SHARED)
  skeletons.set(key, made)
  return made
}

/** The titles of folders differ from kit to kit. In a long outline they are compressed with the rest. */
const MAX_OWN_TITLES = 20
const isUntitled = ({ level }: Bookmark, { length }: readonly Bookmark[]): boolean =>
  level === 2 && length <= MAX_OWN_TITLES

/** Everything that `makeSkeleton` uses. Fonts with basic glyphs differ by name only. */
function keyOf({ language, size, pages, fonts, bookmarks, steps }: Shape): string {
  const lists = pages.map(
    ({ shared, contents, links }) =>
      `${shared.map(({ id }) => id).join(' ')}/${contents.join(' ')}/${links.join(' ')}`,
  )
  const names = fonts.map(({ name }) => name).join(' ')
  const head = `${JSON.stringify(language)} ${size.width} ${size.height} ${names}`
  const outline = bookmarks.map((one) => (isUntitled(one, bookmarks) ? { ...one, title: null } : one))
  return `${head}\n${lists.join('|')}\n${JSON.stringify(outline)}\n${steps}`
}

function makeSkeleton(shape: Shape, compression: Compression): Skeleton {
  const { language, size, pages, fonts, bookmarks, steps } = shape
  const own = ownObjects(shape)
  const file = pdfFile(own.count, compression)
  const pageRefs = pages.map(() => file.reserve())
  const sharedRefs = new Map<SharedContent, Ref>()
  for (const content of pages.flatMap(({ shared }) => shared)) {
    if (sharedRefs.has(content)) continue
    const ref = file.reserve()
    sharedRefs.set(content, ref)
    file.putStream(ref, {}, content.stream)
  }
  const resources = file.add(
    dict({
      Font: dict(Object.fromEntries(fonts.map((font) => [font.resource, font.write(file)]))),
    }),
  )
  const structure = writeStructure(file, steps, pageRefs, own)
  const tree = file.reserve()
  for (const [at, page] of pages.entries()) {
    const streams = [
      ...page.shared.map((content) => sharedRefs.get(content)),
      ...page.contents.map((content) => own.contents[content]),
    ]
    const links = page.links.map((link) => own.links[link])
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
    own.untitled,
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
  const { contents, info } = own
  return { ...structure, start: file.start(), catalog, info, contents, untitled: outline.untitled }
}

interface OwnObjects {
  readonly count: number
  readonly contents: readonly Ref[]
  readonly links: readonly Ref[]
  readonly figures: readonly Ref[]
  readonly untitled: readonly Ref[]
  readonly info: Ref
}

/** Numbers the objects that each document writes itself. */
function ownObjects({ pages, bookmarks, steps }: Shape): OwnObjects {
  let count = 0
  const next = (): Ref => refOf(++count)
  const refs = (length: number): readonly Ref[] => Array.from({ length }, next)
  return {
    contents: refs(contentCount(pages)),
    links: refs(pages.flatMap(({ links }) => links).length),
    figures: refs(steps.split('*').length - 1),
    untitled: refs(bookmarks.filter((one) => isUntitled(one, bookmarks)).length),
    info: next(),
    // The last one is the cross-reference stream.
    count: count + 1,
  }
}

const contentCount = (pages: readonly PageShape[]): number =>
  new Set(pages.flatMap(({ contents }) => contents)).size
