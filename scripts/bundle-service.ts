import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type OutputFile, type Plugin, stop } from 'esbuild'
import { leanModules } from '../cli/lean-modules.cjs'

const ENTRY_POINTS = {
  'serve-command': 'server/src/serve-command.ts',
  'work-thread': 'server/src/work/work-thread.ts',
}
/** Packages with native code, and large ones that few services load. */
const EXTERNAL = ['better-sqlite3', 'pkcs11js', 'pg', 'nodemailer', 'pdfjs-dist', '@aws-sdk/*']

/** Bundles the service as it is now. Returns the option that makes `node server/src/main.ts` load the bundle. */
export async function importBundledService(root: string): Promise<string> {
  const hook = pathToFileURL(path.join(root, 'scripts/bundled-service.mjs'))
  // A test runs the test runner in a project without a service.
  if (existsSync(path.join(root, ENTRY_POINTS['serve-command'])))
    hook.searchParams.set('from', stored(root, await bundle(root)))
  return `--import=${hook.href}`
}

async function bundle(root: string): Promise<readonly OutputFile[]> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ENTRY_POINTS,
    outdir: root,
    outExtension: { '.js': '.mjs' },
    write: false,
    bundle: true,
    splitting: true,
    minifyWhitespace: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: EXTERNAL,
    // Bundled CommonJS packages call require, which ES modules do not have.
    banner: {
      js: "import{createRequire as kitsealRequire}from'node:module';const require=kitsealRequire(import.meta.url);",
    },
    plugins: [ownAddress, leanModules],
  })
  await stop()
  return outputFiles
}

/** Modules find their files and threads beside their source. */
const ownAddress: Plugin = {
  name: 'own address',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const source = readFileSync(file, 'utf8')
      const address = JSON.stringify(pathToFileURL(file).href)
      return { contents: source.replaceAll('import.meta.url', address), loader: 'ts' }
    }),
}

/** The folder is named after its content, because another run may use an older bundle. */
function stored(root: string, files: readonly OutputFile[]): string {
  const hash = createHash('sha256')
  for (const { path: file, contents } of files) hash.update(file).update(contents)
  const folder = path.join(root, 'node_modules/.cache', `kitseal-service-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(folder)) return folder
  mkdirSync(path.dirname(folder), { recursive: true })
  const making = mkdtempSync(`${folder}.`)
  for (const { path: file, contents } of files)
    writeFileSync(path.join(making, path.basename(file)), contents)
  try {
    renameSync(making, folder)
  } catch (error) {
    rmSync(making, { recursive: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
