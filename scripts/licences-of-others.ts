import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { lockedPackages } from './locked-packages.ts'

const root = path.dirname(import.meta.dirname)

export const LICENCES_FILE = 'LICENSES-OF-OTHERS.txt'

/** Compiled where it is installed, and so in no release. */
const NOT_RELEASED = 'pkcs11js'

/** The licences of the packages whose code or fonts are in a release, each text once. */
export function licencesOfOthers(): string {
  const packagesOf = new Map<string, string[]>()
  for (const { place, name, version, licence, dev } of lockedPackages()) {
    const folder = path.join(root, place)
    if (dev || name === NOT_RELEASED || !existsSync(folder)) continue
    const [file] = globSync('{LICENSE,LICENCE,license,License}*', { cwd: folder }).toSorted()
    const text = file === undefined ? `${licence}\n` : readFileSync(path.join(folder, file), 'utf8')
    packagesOf.set(text, [...(packagesOf.get(text) ?? []), `${name} ${version}`])
  }
  return [...packagesOf]
    .map(([text, packages]) => `${packages.join(', ')}\n\n${text.trim()}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`)
}
