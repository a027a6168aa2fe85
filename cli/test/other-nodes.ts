import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../.cache/nodes/', import.meta.url))

/** A release of Node.js, from npm if it is not in .cache/nodes yet. */
export function otherNode(major: number): string {
  const name = `node-${process.platform}-${process.arch}`
  const prefix = join(cache, String(major))
  const node = join(prefix, 'node_modules', name, 'bin/node')
  if (!existsSync(node))
    execFileSync(
      'npm',
      ['install', '--no-save', '--no-audit', '--no-fund', '--silent', '--prefix', prefix, `${name}@${major}`],
      { cwd: fileURLToPath(new URL('../../', import.meta.url)), stdio: ['ignore', 'ignore', 'inherit'] },
    )
  return node
}
