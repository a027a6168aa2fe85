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

/** The document outline. Branches start collapsed. */
export function outlineTree(
  file: PdfFile,
  bookmarks: readonly Bookmark[],
  pageRef: (page: number) => Ref,
): Ref {
  const root = file.reserve()
  const branches: Branch[] = []
  for (const bookmark of bookmarks) {
    const siblings = bookmark.level === 2 ? branches.at(-1)?.kids : undefined
    ;(siblings ?? branches).push({ bookmark, ref: file.reserve(), kids: [] })
  }

  const write = (siblings: readonly Branch[], parent: Ref): void => {
    for (const [index, { bookmark, ref, kids }] of siblings.entries()) {
      const object = dict({
        Title: text(bookmark.title),
        Parent: parent,
        Prev: siblings[index - 1]?.ref,
        Next: siblings[index + 1]?.ref,
        First: kids[0]?.ref,
        Last: kids.at(-1)?.ref,
        Count: kids.length === 0 ? undefined : -kids.length,
        Dest: array([pageRef(bookmark.page), '/XYZ', 0, number(bookmark.top), 'null']),
      })
      file.put(ref, object)
      write(kids, ref)
    }
  }
  write(branches, root)
  const ends = { First: branches[0]?.ref, Last: branches.at(-1)?.ref }
  file.put(root, dict({ Type: '/Outlines', ...ends, Count: branches.length }))
  return root
}
