import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Writes the command line without the server as one file, and returns its path. */
export function writeScript(folder: string): string {
  const script = join(folder, 'kitseal.cjs')
  writeFileSync(script, oneFileScript(), { mode: 0o755 })
  return script
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

/** The oldest Node.js that runs it; `kitseal monitor` needs SQLite of a newer one, and says so. */
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
