import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { makeBlob, makeExecutable } from './make-executable.ts'

/** `npm run build:cli [-- FOLDER]` builds the command line without the server, as a script and as an executable with Node. */
const root = fileURLToPath(new URL('..', import.meta.url))

export function buildStandalone(
  folder: string,
  name = 'kitseal',
): { readonly script: string; readonly executable: string } {
  mkdirSync(folder, { recursive: true })
  const script = writeScript(folder)
  const executable = join(folder, name)
  inTemporaryFolder((scratch) =>
    makeExecutable(makeBlob(script, process.execPath, scratch), process.execPath, executable),
  )
  return { script, executable }
}

/** Puts the script into a Node.js for Windows. A blob fits the version of Node.js that made it, on any platform. */
export function writeWindowsExecutable(
  script: string,
  node: string,
  windowsNode: string,
  executable: string,
): void {
  inTemporaryFolder((scratch) => makeExecutable(makeBlob(script, node, scratch), windowsNode, executable))
}

export function writeScript(folder: string): string {
  const script = join(folder, 'kitseal.cjs')
  writeFileSync(script, oneFileScript(), { mode: 0o755 })
  return script
}

function inTemporaryFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-build-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The command line without the server, as one file without dependencies for Node.js 20 and newer. */
export const oneFileScript = (): string => bundle('cli/src/standalone.ts', constants())

function constants(): Record<string, string> {
  return {
    KITSEAL_THREAD_SOURCE: JSON.stringify(bundle('kit/node/hash-thread.ts', {})),
    KITSEAL_READ_THREAD_SOURCE: JSON.stringify(bundle('examiner/node/read-thread.ts', {})),
    KITSEAL_VERIFIER_PAGE: JSON.stringify(readFileSync(join(root, 'kit/embed/verifier.html'), 'utf8')),
    KITSEAL_PROFILES: JSON.stringify(profiles()),
  }
}

/** The built-in profiles as a list of JSON texts. */
function profiles(): string {
  const folder = join(root, 'examiner/profiles')
  return JSON.stringify(
    readdirSync(folder)
      .toSorted()
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  )
}

/** The oldest Node.js that runs it; `kitseal monitor` and `witness` need SQLite of a newer one, and say so. */
const OLDEST_NODE = 20
/** An older one must be able to parse the program, to reach the refusal. */
const OLDEST_PARSED = 'node14.6'
const REFUSAL = `if(parseInt(process.versions.node)<${OLDEST_NODE}){console.error('kitseal needs Node.js ${OLDEST_NODE} or newer, and this is Node.js '+process.versions.node+'. Use a newer one, or the executable of the release, which needs none.');process.exit(2)}`

function bundle(entry: string, define: Record<string, string>): string {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: OLDEST_PARSED,
    supported: { 'node-colon-prefix-import': true, 'node-colon-prefix-require': true },
    banner: { js: REFUSAL },
    external: ['@kitseal/server'],
    // Files that are read at run time elsewhere are constants here, so this URL is never used.
    define: { ...define, 'import.meta.url': '"file:///kitseal.cjs"' },
  })
  return outputFiles[0]!.text
}

if (import.meta.main) {
  const { script, executable } = buildStandalone(process.argv[2] ?? join(root, 'dist'))
  for (const file of [script, executable])
    console.log(`${file}  ${Math.round(statSync(file).size / 1000)} KB`)
}
