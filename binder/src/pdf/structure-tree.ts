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

/** An element that is filled later. */
export interface Element {
  readonly role: Role
  readonly number: number
}

/** A part of the tree that many documents share, on one page. */
export interface StructurePart {
  readonly steps: string
  readonly elements: number
  readonly contents: number
}

/** The tags of a document, which screen readers follow and text extraction uses. */
export type StructureTree = ReturnType<typeof structureTree>

/** The steps that make a tree. Most documents have the same, so that their tags are made once (structure-objects.ts). */
export function structureTree() {
  const steps: string[] = []
  const alternatives: string[] = []
  const contents: number[] = []
  let elements = 1
  let role: Role | 'Document' = 'Document'
  let currentPage = 0

  function turnTo(page: number): void {
    if (page === currentPage) return
    steps.push(`@${page};`)
    currentPage = page
  }

  function inside(inner: Role, drawing: () => void): void {
    const outer = role
    role = inner
    drawing()
    role = outer
    steps.push('>')
  }

  function open(inner: Role, { alternative, scope }: ElementOptions = {}): number {
    steps.push(scope === undefined ? `<${inner};` : `<${inner},${scope};`)
    if (alternative !== undefined) {
      steps.push('*')
      alternatives.push(alternative)
    }
    return elements++
  }

  return {
    /** The role of the current element. */
    get role() {
      return role
    },
    alternatives,
    /** Adds an element to the current one. What is drawn meanwhile goes inside. */
    add: (inner: Role, drawing: () => void, options?: ElementOptions): void => {
      open(inner, options)
      inside(inner, drawing)
    },
    /** Adds an element that is filled later. */
    reserve: (inner: Role): Element => {
      const number = open(inner)
      steps.push('>')
      return { role: inner, number }
    },
    fill: (element: Element, drawing: () => void): void => {
      steps.push(`^${element.number};`)
      inside(element.role, drawing)
    },
    /** Adds marked content of a page to the current element. @returns its MCID */
    addContent: (page: number): number => {
      turnTo(page)
      steps.push('.')
      const mcid = contents[page] ?? 0
      contents[page] = mcid + 1
      return mcid
    },
    addLink: (page: number): void => {
      turnTo(page)
      steps.push('#')
    },
    /** How much marked content a page has. */
    contentsOf: (page: number): number => contents[page] ?? 0,
    /** Keeps what is added to the current element and to this page. */
    record: (page: number, drawing: () => void): StructurePart => {
      turnTo(page)
      const [step, element, content] = [steps.length, elements, contents[page] ?? 0]
      drawing()
      return {
        steps: steps.slice(step).join(''),
        elements: elements - element,
        contents: (contents[page] ?? 0) - content,
      }
    },
    replay: (page: number, part: StructurePart): void => {
      turnTo(page)
      steps.push(part.steps)
      elements += part.elements
      contents[page] = (contents[page] ?? 0) + part.contents
    },
    /** How the tree is made, one step after another, without the alternative texts: equal trees have equal steps. */
    steps: (): string => steps.join(''),
  }
}
