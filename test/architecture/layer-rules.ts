// Rules about layers and import cycles.
import { BASE, BESIDE, LAYERS, STARTING } from './areas.ts'
import { type Project, type SourceFile, target } from './project.ts'
import type { Rule } from './rule.ts'

export const layerRules: readonly Rule[] = [
  {
    name: 'the areas of server/src form layers',
    why: 'an area can only be read, tested and changed alone if nothing below it depends on it (test/architecture/areas.ts)',
    violations: (project) =>
      project.sources.filter(({ path, isTest }) => path.startsWith(SERVER) && !isTest).flatMap(upwardImports),
    sample: {
      'server/src/http/caller.ts': `import type { Actor } from '../audit/audit-trail.ts'`,
      'server/src/settings/config.ts': `import { openStore } from '../open-store.ts'`,
      'server/src/unknown-area/file.ts': '',
    },
  },
  {
    name: 'there are no import cycles',
    why: 'a cycle has no file to read first, and evaluation order decides what is defined',
    violations: (project) => cycles(project).map((files) => `${files.join(' → ')} → ${files[0]}`),
    sample: {
      'client/src/first.ts': `import { second } from './second.ts'`,
      'client/src/second.ts': `import type { Third } from './third.ts'`,
      'client/src/third.ts': `export { first } from './first.ts'`,
    },
  },
]

const SERVER = 'server/src/'

const areaOf = (path: string): string => path.slice(SERVER.length).replace(/(\/.*|\.c?ts)$/, '')
const layerOf = (area: string): number => LAYERS.findIndex((areas) => areas.includes(area))

function upwardImports({ path, imports }: SourceFile): readonly string[] {
  const area = areaOf(path)
  if (STARTING.includes(area)) return []
  if (layerOf(area) < 0) return [`${path}: "${area}" has no row in test/architecture/areas.ts`]
  return imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => target(path, specifier))
    .filter((to) => to.startsWith(SERVER) && areaOf(to) !== area && !mayImport(area, areaOf(to)))
    .map((to) => `${path} imports ${to}, which is not in a lower layer`)
}

function mayImport(from: string, to: string): boolean {
  if (BASE.has(to)) return from !== 'refusals'
  const [own, other] = [layerOf(from), layerOf(to)]
  if (other !== own) return other >= 0 && other < own
  const layer = LAYERS[own] ?? []
  return layer.indexOf(to) < layer.indexOf(from) && `${from} → ${to}` in BESIDE
}

/** A reason for an import that is gone would let it come back unseen. */
export function unusedReasons({ sources }: Project): readonly string[] {
  const used = new Set(
    sources
      .filter(({ path, isTest }) => path.startsWith(SERVER) && !isTest)
      .flatMap(({ path, imports }) =>
        imports.map(({ specifier }) => `${areaOf(path)} → ${areaOf(target(path, specifier))}`),
      ),
  )
  return Object.keys(BESIDE).filter((pair) => !used.has(pair))
}

/** One cycle per group of files that import each other. */
function cycles({ sources }: Project): readonly (readonly string[])[] {
  const importsOf = new Map(
    sources.map(({ path, imports }) => [path, imports.map(({ specifier }) => target(path, specifier))]),
  )
  const done = new Set<string>()
  const found: string[][] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) found.push(trail.slice(start))
    if (start >= 0 || done.has(path)) return
    for (const to of importsOf.get(path) ?? []) visit(to, [...trail, path])
    done.add(path)
  }
  for (const { path } of sources) visit(path, [])
  return found
}
