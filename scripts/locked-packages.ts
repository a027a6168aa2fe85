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
  /** `sha512-…`, in base64. */
  readonly integrity: string
  /** Only for development: no part of what runs. */
  readonly dev: boolean
  readonly optional: boolean
  readonly hasInstallScript: boolean
  /** Names of what it asks for; those that are optional may be missing. */
  readonly dependencies: readonly string[]
}

/** Development packages whose code is built into the pages, with what they depend on. They need not be installed to run the service. */
export const BUNDLED: readonly string[] = [
  '@mantine/core',
  '@mantine/hooks',
  '@simplewebauthn/browser',
  '@tanstack/react-query',
  '@tanstack/react-virtual',
  'pdfjs-dist',
  'react',
  'react-dom',
]

interface LockEntry {
  /** If another package is installed under the name of the place. */
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>
}

export const lockText = (): string => readFileSync(path.join(root, 'package-lock.json'), 'utf8')

/** Every package of others that the lock file pins, in the order of their places. */
export function lockedPackages(text = lockText()): readonly LockedPackage[] {
  const { packages } = JSON.parse(text) as Lock
  const bundled = bundledPlaces(packages)
  return Object.entries(packages)
    .filter(([place, { link }]) => /(^|\/)node_modules\//.test(place) && link !== true)
    .map(([place, entry]) => ({
      place,
      name: entry.name ?? nameAt(place),
      version: entry.version ?? '',
      licence: entry.license ?? '',
      integrity: entry.integrity ?? '',
      dev: (entry.dev === true || entry.devOptional === true) && !bundled.has(place),
      optional: entry.optional === true || entry.devOptional === true,
      hasInstallScript: entry.hasInstallScript === true,
      dependencies: Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }),
    }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
}

function bundledPlaces(packages: Lock['packages']): ReadonlySet<string> {
  const places = new Set<string>()
  const add = (name: string): void => {
    const place = `node_modules/${name}`
    if (places.has(place)) return
    places.add(place)
    for (const needed of Object.keys(packages[place]?.dependencies ?? {})) add(needed)
  }
  for (const name of BUNDLED) add(name)
  return places
}

const nameAt = (place: string): string =>
  place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
