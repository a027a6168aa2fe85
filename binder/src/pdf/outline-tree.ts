import type { PdfFile, Ref } from './pdf-file.ts'
import { array, dict, number, text } from './pdf-values.ts'

export interface Bookmark {
  readonly title: string
  /** Level 2 bookmarks are nested under the last one of level 1. */
  readonly level: 1 | 2
  readonly page: number
  /** From the bottom of the page. */
  readonly top: number
}

interface Branch {
  readonly bookmark: Bookmark
  readonly ref: Ref
  readonly kids: Branch[]
}

export interface Outline {
  readonly root: Ref
  /** Bookmarks whose titles the document adds: the object from its title on. */
  readonly untitled: readonly { readonly ref: Ref; readonly bookmark: number; readonly rest: string }[]
}

/** The document outline. Branches start collapsed. */
export function outlineTree(
  file: PdfFile,
  bookmarks: readonly Bookmark[],
  pageRef: (page: number) => Ref,
  isUntitled: (bookmark: Bookmark) => boolean,
  ownRefs: readonly Ref[],
): Outline {
  const root = file.reserve()
  const untitled: { readonly ref: Ref; readonly bookmark: number; readonly rest: string }[] = []
  const branches: Branch[] = []
  let ownCount = 0
  for (const bookmark of bookmarks) {
    const own = isUntitled(bookmark) ? ownRefs[ownCount++] : undefined
    const branch = { bookmark, ref: own ?? file.reserve(), kids: [] }
    const siblings = bookmark.level === 2 ? branches.at(-1)?.kids : undefined
    ;(siblings ?? branches).push(branch)
  }

  const write = (siblings: readonly Branch[], parent: Ref): void => {
    for (const [index, { bookmark, ref, kids }] of siblings.entries()) {
      const rest = dict({
        Parent: parent,
        Prev: siblings[index - 1]?.ref,
        Next: siblings[index + 1]?.ref,
        First: kids[0]?.ref,
        Last: kids.at(-1)?.ref,
        Count: kids.length === 0 ? undefined : -kids.length,
        Dest: array([pageRef(bookmark.page), '/XYZ', 0, number(bookmark.top), 'null']),
      }).slice(2)
      if (isUntitled(bookmark)) untitled.push({ ref, bookmark: bookmarks.indexOf(bookmark), rest })
      else file.put(ref, titled(bookmark, rest))
      write(kids, ref)
    }
  }
  write(branches, root)
  const ends = { First: branches[0]?.ref, Last: branches.at(-1)?.ref }
  file.put(root, dict({ Type: '/Outlines', ...ends, Count: branches.length }))
  return { root, untitled }
}

/** A bookmark, from the rest of its object. */
export const titled = ({ title }: Bookmark, rest: string): string => `<</Title ${text(title)}${rest}`
