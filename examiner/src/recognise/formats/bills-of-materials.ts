import { elements, has, member, only, Tally, UnexpectedShape, type Recogniser } from '../recogniser.ts'

export const CYCLONEDX_JSON: Recogniser = {
  format: 'CycloneDX',
  mark: /"bomFormat"/,
  reads: 'json',
  read(values) {
    const bom = only(values)
    if (member(bom, 'bomFormat') !== 'CycloneDX') return undefined
    if (!/^1\.\d{1,2}$/.test(String(member(bom, 'specVersion')))) return undefined
    const counts = new Tally('components')
    countComponents(counts, member(bom, 'components'))
    if (has(bom, 'vulnerabilities'))
      counts.add('vulnerabilities', elements(member(bom, 'vulnerabilities')).length)
    const metadata = member(bom, 'metadata')
    const tools = member(metadata, 'tools')
    const [tool] = elements(Array.isArray(tools) ? tools : member(tools, 'components'))
    return {
      tool: member(tool, 'name'),
      version: member(tool, 'version'),
      target: nameAndVersion(member(metadata, 'component', 'name'), member(metadata, 'component', 'version')),
      time: member(metadata, 'timestamp'),
      counts,
    }
  },
}

/** Components have components. */
function countComponents(counts: Tally, components: unknown): void {
  for (const component of elements(components)) {
    if (typeof member(component, 'name') !== 'string') throw new UnexpectedShape()
    counts.add('components')
    countComponents(counts, member(component, 'components'))
  }
}

function nameAndVersion(name: unknown, version: unknown): unknown {
  return typeof name === 'string' && typeof version === 'string' && version !== ''
    ? `${name} ${version}`
    : name
}

const COMPONENT = /^bom\/components\/component(?:\/components\/component)*$/
const TOOL = /^bom\/metadata\/tools\/(?:tool|components\/component)\/(name|version)$/
const TARGET = /^bom\/metadata\/component\/(name|version)$/

export const CYCLONEDX_XML: Recogniser = {
  format: 'CycloneDX',
  mark: /cyclonedx\.org\/schema\/bom\/1\./,
  reads: 'xml',
  start() {
    const counts = new Tally('components')
    const tool = new Map<string, string>()
    const target = new Map<string, string>()
    let time: string | undefined
    return {
      open(path, { uri }) {
        if (!path.includes('/') && (path !== 'bom' || !uri.startsWith('http://cyclonedx.org/schema/bom/1.')))
          throw new UnexpectedShape()
        if (COMPONENT.test(path)) counts.add('components')
        if (path === 'bom/vulnerabilities/vulnerability') counts.add('vulnerabilities')
      },
      text(path, text) {
        const [, ofTool] = TOOL.exec(path) ?? []
        if (ofTool !== undefined && !tool.has(ofTool)) tool.set(ofTool, text)
        const [, ofTarget] = TARGET.exec(path) ?? []
        if (ofTarget !== undefined) target.set(ofTarget, text)
        if (path === 'bom/metadata/timestamp') time = text
      },
      end: () => ({
        tool: tool.get('name'),
        version: tool.get('version'),
        target: nameAndVersion(target.get('name'), target.get('version')),
        time,
        counts,
      }),
    }
  },
}

const MAX_TOOL = 200
const VERSION_2 = /^SPDX-2\.\d{1,2}$/

export const SPDX_2_JSON: Recogniser = {
  format: 'SPDX',
  mark: /"(?:spdxVersion|SPDXID)"/,
  reads: 'json',
  read(values) {
    const document = only(values)
    if (!VERSION_2.test(String(member(document, 'spdxVersion')))) return undefined
    if (member(document, 'SPDXID') !== 'SPDXRef-DOCUMENT') return undefined
    return {
      ...toolIn(elements(member(document, 'creationInfo', 'creators'))),
      target: member(document, 'name'),
      time: member(document, 'creationInfo', 'created'),
      counts: Tally.just('packages', elements(member(document, 'packages')).length),
    }
  },
}

/** `Tool: name-version`. */
function toolIn(creators: readonly unknown[]) {
  const tool = creators.find((creator) => typeof creator === 'string' && creator.startsWith('Tool: '))
  const name = tool === undefined ? undefined : (tool as string).slice('Tool: '.length, MAX_TOOL)
  const [, before, version] = /^(.+?)-v?(\d[\w.+-]*)$/.exec(name ?? '') ?? []
  return { tool: before ?? name, version }
}

export const SPDX_2_TEXT: Recogniser = {
  format: 'SPDX',
  mark: /^(?:#[^\n]*\n)*SPDXVersion: SPDX-2\./,
  reads: 'text',
  read(_bytes, text) {
    const all = (tag: string): readonly string[] => linesAfter(text, `${tag}:`)
    if (all('SPDXID')[0] !== 'SPDXRef-DOCUMENT' || !text.endsWith('\n')) return undefined
    return {
      ...toolIn(all('Creator')),
      target: all('DocumentName')[0],
      time: all('Created')[0],
      counts: Tally.just('packages', all('PackageName').length),
    }
  },
}

export const SPDX_3: Recogniser = {
  format: 'SPDX',
  mark: /spdx\.org\/rdf\/3\./,
  reads: 'json',
  read(values) {
    const document = only(values)
    const context = JSON.stringify(member(document, '@context') ?? '')
    if (!context.includes('spdx.org/rdf/3.') || !has(document, '@graph')) return undefined
    const graph = elements(member(document, '@graph'))
    const ofType = (type: string): readonly unknown[] => graph.filter((one) => member(one, 'type') === type)
    const [creation] = ofType('CreationInfo')
    if (creation === undefined) return undefined
    const [usedTool] = elements(member(creation, 'createdUsing'))
    const tool = graph.find((one) => usedTool !== undefined && member(one, 'spdxId') === usedTool)
    return {
      tool: member(tool, 'name'),
      target: member(ofType('SpdxDocument')[0], 'name'),
      time: member(creation, 'created'),
      counts: Tally.just('packages', ofType('software_Package').length),
    }
  },
}

/** What follows `start` in each line that begins with it. Patterns would take too long on lines that are made for it. */
function linesAfter(text: string, start: string): readonly string[] {
  const found: string[] = []
  const all = `\n${text}`
  for (let at = all.indexOf(`\n${start}`); at !== -1; at = all.indexOf(`\n${start}`, at + 1)) {
    const from = at + 1 + start.length
    const end = all.indexOf('\n', from)
    found.push(all.slice(from, end === -1 ? undefined : end).trim())
  }
  return found
}
