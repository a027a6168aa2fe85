import type { PdfFile, Ref } from './pdf-file.ts'
import { array, dict } from './pdf-values.ts'

export interface StructureObjects {
  readonly root: Ref
  /** The annotation of each link, in order, and its key in the parent tree. */
  readonly links: readonly { readonly ref: Ref; readonly key: number }[]
  /** Elements with an alternative text, in order: the object up to that text. */
  readonly figures: readonly { readonly ref: Ref; readonly object: string }[]
}

interface Node {
  readonly role: string
  readonly ref: Ref
  readonly parent: Ref
  readonly scope: string | undefined
  readonly hasAlternative: boolean
  /** The page of its first content. */
  page: number | undefined
  readonly kids: string[]
}

const STEPS = /<(?<role>\w+)(?:,(?<scope>\w+))?;(?<alternative>\*)?|\^(?<reopened>\d+);|@(?<page>\d+);|[>.#]/g

/** Writes the tags of a document from the steps that made its tree. */
export function writeStructure(
  file: PdfFile,
  steps: string,
  pageRefs: readonly Ref[],
  own: { readonly links: readonly Ref[]; readonly figures: readonly Ref[] },
): StructureObjects {
  const root = file.reserve()
  const nodes: Node[] = []
  const open: Node[] = []
  /** The elements of the marked content of each page, by MCID. */
  const owners: Ref[][] = pageRefs.map(() => [])
  const links: { readonly ref: Ref; readonly owner: Ref }[] = []
  let page = 0
  let figures = 0

  function start(role: string, scope: string | undefined, hasAlternative: boolean): Node {
    const ref = hasAlternative ? own.figures[figures++] : file.reserve()
    if (ref === undefined) throw new Error('an alternative text has no object')
    const parent = open.at(-1)
    const node = {
      role,
      ref,
      parent: parent?.ref ?? root,
      scope,
      hasAlternative,
      page: undefined,
      kids: [],
    }
    parent?.kids.push(ref)
    nodes.push(node)
    open.push(node)
    return node
  }

  function addContent(node: Node): void {
    const mcids = owners[page]
    if (mcids === undefined) throw new Error(`there is no page ${page}`)
    const mcid = mcids.push(node.ref) - 1
    node.page ??= page
    const isSame = node.page === page
    node.kids.push(isSame ? String(mcid) : dict({ Type: '/MCR', Pg: pageRefs[page], MCID: mcid }))
  }

  function addLink(node: Node): void {
    const ref = own.links[links.length]
    if (ref === undefined) throw new Error('a link has no object')
    links.push({ ref, owner: node.ref })
    node.page ??= page
    node.kids.push(dict({ Type: '/OBJR', Pg: pageRefs[page], Obj: ref }))
  }

  const document = start('Document', undefined, false)
  for (const { 0: step, groups: { role, scope, alternative, reopened, page: turned } = {} } of steps.matchAll(
    STEPS,
  )) {
    const current = open.at(-1) ?? document
    if (role !== undefined) start(role, scope, alternative !== undefined)
    else if (turned !== undefined) page = Number(turned)
    else if (reopened !== undefined) open.push(nodes[Number(reopened)] ?? document)
    else if (step === '.') addContent(current)
    else if (step === '#') addLink(current)
    else open.pop()
  }
  const withAlternative: { readonly ref: Ref; readonly object: string }[] = []
  for (const node of nodes) {
    const object = objectOf(node, pageRefs)
    if (node.hasAlternative) withAlternative.push({ ref: node.ref, object })
    else file.put(node.ref, `${object}>>`)
  }
  const entries = [...owners.map((refs) => array(refs)), ...links.map(({ owner }) => owner)]
  const parentTree = file.add(dict({ Nums: array(entries.map((entry, key) => `${key} ${entry}`)) }))
  file.put(
    root,
    dict({
      Type: '/StructTreeRoot',
      K: document.ref,
      ParentTree: parentTree,
      ParentTreeNextKey: entries.length,
    }),
  )
  return {
    root,
    links: links.map(({ ref }, at) => ({ ref, key: pageRefs.length + at })),
    figures: withAlternative,
  }
}

/** Without its end, for an alternative text. */
function objectOf({ role, parent, page, kids, scope }: Node, pageRefs: readonly Ref[]): string {
  const onPage = page === undefined ? '' : `/Pg ${pageRefs[page]}`
  const inside = kids.length === 1 ? kids[0] : array(kids)
  const attributes = scope === undefined ? '' : `/A<</O/Table/Scope/${scope}>>`
  return `<</S/${role}/P ${parent}${onPage}/K ${inside}${attributes}`
}
