import type { PdfFile, Ref } from './pdf-file.ts'
import { array, dict, text } from './pdf-values.ts'

interface Node {
  readonly role: string
  readonly ref: Ref
  readonly parent: Ref
  readonly scope: string | undefined
  readonly alternative: string | undefined
  /** The page of its first content. */
  page: number | undefined
  readonly kids: string[]
}

const STEPS = /<(?<role>\w+)(?:,(?<scope>\w+))?;(?<alternative>\*)?|\^(?<reopened>\d+);|@(?<page>\d+);|[>.#]/g

/** Writes the tags of a document from the steps that made its tree. Links have the keys after those of the pages. */
export function writeStructure(
  file: PdfFile,
  { steps, alternatives }: { readonly steps: string; readonly alternatives: readonly string[] },
  pageRefs: readonly Ref[],
  linkRefs: readonly Ref[],
): Ref {
  const root = file.reserve()
  const nodes: Node[] = []
  const open: Node[] = []
  /** The elements of the marked content of each page, by MCID. */
  const owners: Ref[][] = pageRefs.map(() => [])
  const linkOwners: Ref[] = []
  let page = 0
  let figures = 0

  function start(role: string, scope?: string, alternative?: string): Node {
    const parent = open.at(-1)
    const node = {
      role,
      ref: file.reserve(),
      parent: parent?.ref ?? root,
      scope,
      alternative,
      page: undefined,
      kids: [],
    }
    parent?.kids.push(node.ref)
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
    const ref = linkRefs[linkOwners.push(node.ref) - 1]
    if (ref === undefined) throw new Error('a link has no object')
    node.page ??= page
    node.kids.push(dict({ Type: '/OBJR', Pg: pageRefs[page], Obj: ref }))
  }

  const document = start('Document')
  for (const { 0: step, groups: { role, scope, alternative, reopened, page: turned } = {} } of steps.matchAll(
    STEPS,
  )) {
    const current = open.at(-1) ?? document
    if (role !== undefined) start(role, scope, alternative && alternatives[figures++])
    else if (turned !== undefined) page = Number(turned)
    else if (reopened !== undefined) open.push(nodes[Number(reopened)] ?? document)
    else if (step === '.') addContent(current)
    else if (step === '#') addLink(current)
    else open.pop()
  }
  for (const node of nodes) file.put(node.ref, objectOf(node, pageRefs))
  const entries = [...owners.map((refs) => array(refs)), ...linkOwners]
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
  return root
}

function objectOf({ role, parent, page, kids, scope, alternative }: Node, pageRefs: readonly Ref[]): string {
  return dict({
    S: `/${role}`,
    P: parent,
    Pg: page === undefined ? undefined : pageRefs[page],
    K: kids.length === 1 ? kids[0] : array(kids),
    A: scope === undefined ? undefined : `<</O/Table/Scope/${scope}>>`,
    Alt: alternative === undefined ? undefined : text(alternative),
  })
}
