import { elements, has, member, only, Tally, type Recogniser } from '../recogniser.ts'

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
