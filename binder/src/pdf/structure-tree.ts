import type { PdfFile, Ref } from './pdf-file.ts'
import { array, dict, text } from './pdf-values.ts'

/** Standard structure types (ISO 32000-1, section 14.8.4). */
export type Role =
  | 'Code'
  | 'Div'
  | 'Figure'
  | 'H1'
  | 'H2'
  | 'H3'
  | 'L'
  | 'LBody'
  | 'LI'
  | 'Lbl'
  | 'Link'
  | 'P'
  | 'TD'
  | 'TH'
  | 'TOC'
  | 'TOCI'
  | 'TR'
  | 'Table'

export interface ElementOptions {
  /** For images. */
  readonly alternative?: string
  /** For header cells: whether it names its row or its column. */
  readonly scope?: 'Row' | 'Column'
}

/** An element that is open for drawing. */
export interface Element {
  readonly role: Role | 'Document'
  readonly ref: Ref
}

/** The tags of a document, which screen readers follow and text extraction uses. */
export interface StructureTree {
  readonly current: Element
  /** Adds an element to the current one. What is drawn meanwhile goes inside. */
  add(role: Role, drawing: () => void, options?: ElementOptions): void
  /** Adds an element that is filled later. */
  reserve(role: Role): Element
  fill(element: Element, drawing: () => void): void
  /** Adds marked content of a page to the current element. @returns its MCID */
  addContent(page: number): number
  addLink(page: number, annotation: Ref): void
  /** @returns the root */
  write(pageRefs: readonly Ref[]): Ref
  /** The key of each link annotation in the parent tree. */
  linkKeys(pageCount: number): ReadonlyMap<Ref, number>
}

type Kid =
  | { readonly is: 'element'; readonly ref: Ref }
  | { readonly is: 'content'; readonly page: number; readonly mcid: number }
  | { readonly is: 'link'; readonly page: number; readonly annotation: Ref }

interface Node extends Element {
  readonly parent: Ref
  readonly kids: Kid[]
  readonly options: ElementOptions
}

export function structureTree(file: PdfFile): StructureTree {
  const root = file.reserve()
  const document: Node = { role: 'Document', ref: file.reserve(), parent: root, kids: [], options: {} }
  const nodes = [document]
  /** The elements of the marked content of each page, by MCID. */
  const owners: Ref[][] = []
  const links: { readonly annotation: Ref; readonly owner: Ref }[] = []
  let current = document

  function open(role: Role, options: ElementOptions = {}): Node {
    const node: Node = { role, ref: file.reserve(), parent: current.ref, kids: [], options }
    current.kids.push({ is: 'element', ref: node.ref })
    nodes.push(node)
    return node
  }

  function fill(element: Element, drawing: () => void): void {
    const outer = current
    current = nodes.find(({ ref }) => ref === element.ref) ?? outer
    drawing()
    current = outer
  }

  function addContent(page: number): number {
    const mcids = (owners[page] ??= [])
    mcids.push(current.ref)
    current.kids.push({ is: 'content', page, mcid: mcids.length - 1 })
    return mcids.length - 1
  }

  function addLink(page: number, annotation: Ref): void {
    links.push({ annotation, owner: current.ref })
    current.kids.push({ is: 'link', page, annotation })
  }

  function write(pageRefs: readonly Ref[]): Ref {
    for (const node of nodes) writeNode(file, node, pageRefs)
    const pages = pageRefs.map((_, page) => array(owners[page] ?? []))
    const entries = [...pages, ...links.map(({ owner }) => owner)].map((entry, key) => `${key} ${entry}`)
    const parentTree = file.add(dict({ Nums: array(entries) }))
    file.put(
      root,
      dict({
        Type: '/StructTreeRoot',
        K: document.ref,
        ParentTree: parentTree,
        ParentTreeNextKey: entries.length,
      }),
    )
    return root
  }

  return {
    get current() {
      return current
    },
    add: (role, drawing, options) => {
      const outer = current
      current = open(role, options)
      drawing()
      current = outer
    },
    reserve: (role) => open(role),
    fill,
    addContent,
    addLink,
    write,
    linkKeys: (pageCount) => new Map(links.map(({ annotation }, at) => [annotation, pageCount + at])),
  }
}

function writeNode(
  file: PdfFile,
  { role, ref, parent, kids, options }: Node,
  pageRefs: readonly Ref[],
): void {
  const first = kids.find((kid) => kid.is !== 'element')
  const page = first?.page
  const written = kids.map((kid) => {
    if (kid.is === 'element') return kid.ref
    if (kid.is === 'link') return dict({ Type: '/OBJR', Pg: pageRefs[kid.page], Obj: kid.annotation })
    if (kid.page === page) return kid.mcid
    return dict({ Type: '/MCR', Pg: pageRefs[kid.page], MCID: kid.mcid })
  })
  // Written without `dict`, because a large inventory has a hundred thousand elements.
  const onPage = page === undefined ? '' : `/Pg ${pageRefs[page]}`
  const inside = written.length === 1 ? written[0] : array(written)
  const scope = options.scope === undefined ? '' : `/A<</O/Table/Scope/${options.scope}>>`
  const object = `/S/${role}/P ${parent}${onPage}/K ${inside}${scope}`
  // An alternative text usually differs in every document.
  if (options.alternative === undefined) file.put(ref, `<<${object}>>`)
  else file.putUncompressed(ref, `<<${object}/Alt ${text(options.alternative)}>>`)
}
