import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'

const PACKAGES = ['typebox', 'kysely']
const ENTRY_POINTS = {
  typebox: 'typebox',
  'typebox/schema': 'typebox/schema',
  'typebox/system': 'typebox/system',
  kysely: 'kysely',
}

/** Bundles packages of hundreds of modules, once for each version. Returns the option that makes a process load the bundles. */
export function importBundledPackages(root: string): string {
  const versions = PACKAGES.map((name) => `${name}-${versionOf(root, name)}`).join('-')
  const folder = path.join(root, 'node_modules/.cache', `kitseal-${versions}`)
  if (!existsSync(folder)) bundle(root, folder)
  const hook = pathToFileURL(path.join(root, 'scripts/bundled-packages.mjs'))
  hook.searchParams.set('from', folder)
  return `--import=${hook.href}`
}

function versionOf(root: string, name: string): string {
  const text = readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** Another run may do the same at the same time. */
function bundle(root: string, folder: string): void {
  mkdirSync(path.dirname(folder), { recursive: true })
  const making = mkdtempSync(`${folder}.`)
  buildSync({
    absWorkingDir: root,
    entryPoints: ENTRY_POINTS,
    outdir: making,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
  })
  try {
    renameSync(making, folder)
  } catch (error) {
    rmSync(making, { recursive: true })
    if (!existsSync(folder)) throw error
  }
}
