import type { PdfFile, Ref } from './pdf-file.ts'
import { array, dict, text } from './pdf-values.ts'

export type Role = 'H1' | 'H2' | 'H3' | 'P' | 'Figure' | 'Code'

/** A tagged part of a page, for screen readers and text extraction. */
export interface Tag {
  readonly role: Role
  readonly ref: Ref
  /** Alternative text for images. */
  readonly alternative?: string
}

interface TaggedPage {
  readonly ref: Ref
  readonly tags: readonly Tag[]
}

export function structureTree(file: PdfFile, pages: readonly TaggedPage[]): Ref {
  const root = file.reserve()
  const document = file.reserve()
  for (const page of pages) {
    for (const [index, { role, ref, alternative }] of page.tags.entries()) {
      const alt = alternative === undefined ? undefined : text(alternative)
      file.put(ref, dict({ S: `/${role}`, P: document, Pg: page.ref, K: index, Alt: alt }))
    }
  }
  const tags = pages.flatMap((page) => page.tags.map(({ ref }) => ref))
  file.put(document, dict({ S: '/Document', P: root, K: array(tags) }))
  const parents = pages.map((page, index) => `${index} ${array(page.tags.map(({ ref }) => ref))}`)
  const parentTree = file.add(dict({ Nums: array(parents) }))
  file.put(
    root,
    dict({ Type: '/StructTreeRoot', K: document, ParentTree: parentTree, ParentTreeNextKey: pages.length }),
  )
  return root
}
