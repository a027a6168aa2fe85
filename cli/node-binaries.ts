import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LockedPackage, lockedPackages } from '../scripts/locked-packages.ts'

/** The packages of Node.js that the lock file pins, one for each platform with an executable. */
export const NODE_BINARIES = lockedPackages().filter(({ name }) => name.startsWith('node-linux-'))

/** Downloads the binary into `cache` unless it is there, unpacks it into `folder`, and returns its path. */
export function fetchNodeBinary(
  { name, version, integrity }: Pick<LockedPackage, 'name' | 'version' | 'integrity'>,
  cache: string,
  folder: string,
): string {
  mkdirSync(cache, { recursive: true })
  const archive = join(cache, `${name}-${version}.tgz`)
  if (!existsSync(archive))
    execFileSync('npm', ['pack', '--silent', '--pack-destination', cache, `${name}@${version}`], {
      cwd: cache,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (found !== integrity)
    throw new Error(`${archive} is not the pinned file: ${found} instead of ${integrity}`)
  const unpacked = join(folder, name)
  mkdirSync(unpacked, { recursive: true })
  execFileSync('tar', ['-xzf', archive, '-C', unpacked, 'package/bin/node'])
  return join(unpacked, 'package/bin/node')
}
