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
