import { join } from 'node:path'
import { stateFolder } from '../config-folder.ts'

/** Where the state of a monitor is stored unless --state is given. */
export function defaultStatePath(issuer: string, env: Readonly<Record<string, string | undefined>>): string {
  const name = issuer.replace(/^https?:\/\//, '').replaceAll(/[^A-Za-z0-9.-]+/g, '_')
  return join(stateFolder(env), 'kitseal', 'monitor', `${name}.sqlite`)
}
