import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)

/** A package as package-lock.json pins it. */
export interface LockedPackage {
  /** Where it is installed, from the root: `node_modules/a/node_modules/b`. */
  readonly place: string
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly integrity: string
  /** Only for development: no part of what runs. */
  readonly dev: boolean
  readonly hasInstallScript: boolean
}

/** Development packages whose code is built into the pages, with what they depend on. They need not be installed to run the service. */
export const BUNDLED: readonly string[] = [
  '@simplewebauthn/browser',
  '@tanstack/react-query',
  'pdfjs-dist',
  'preact',
  'react',
  'react-dom',
]

type LockEntry = Readonly<Record<string, string | boolean | Readonly<Record<string, string>> | undefined>>

export const lockText = (): string => readFileSync(path.join(root, 'package-lock.json'), 'utf8')

/** Every package of others that the lock file pins, in the order of their places. */
export function lockedPackages(text = lockText()): readonly LockedPackage[] {
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, LockEntry>> }
  const bundled = bundledPlaces(packages)
  return Object.entries(packages)
    .filter(([place, { link }]) => /(^|\/)node_modules\//.test(place) && link !== true)
    .map(([place, entry]) => ({
      place,
      // Another package may be installed under the name of the place.
      name: String(entry['name'] ?? place.split('node_modules/').at(-1)),
      version: String(entry['version']),
      licence: String(entry['license'] ?? ''),
      integrity: String(entry['integrity'] ?? ''),
      dev: (entry['dev'] === true || entry['devOptional'] === true) && !bundled.has(place),
      hasInstallScript: entry['hasInstallScript'] === true,
    }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
}

function bundledPlaces(packages: Readonly<Record<string, LockEntry>>): ReadonlySet<string> {
  const places = new Set<string>()
  const add = (name: string): void => {
    const place = `node_modules/${name}`
    if (places.has(place)) return
    places.add(place)
    for (const needed of Object.keys(packages[place]?.['dependencies'] ?? {})) add(needed)
  }
  for (const name of BUNDLED) add(name)
  return places
}
