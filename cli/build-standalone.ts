import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { makeBlob, makeExecutable } from './make-executable.ts'
import { fetchNodeBinary, NODE_BINARIES } from './node-binaries.ts'
import cli from './package.json' with { type: 'json' }

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

/** Builds the script and one executable per platform, with binaries from npm that are kept in `cache`. */
export function buildForPlatforms(folder: string, cache: string): readonly string[] {
  mkdirSync(folder, { recursive: true })
  const script = writeScript(folder)
  return inTemporaryFolder((scratch) => {
    const nodes = NODE_BINARIES.map((binary) => ({
      platform: binary.platform,
      node: fetchNodeBinary(binary, cache, scratch),
    }))
    // A blob fits the version of Node.js that made it, on any platform.
    const own = nodes.find(({ platform }) => platform === `${process.platform}-${process.arch}`)
    if (own === undefined) throw new Error('executables for all platforms are built on Linux, x64 or arm64')
    const blob = makeBlob(script, own.node, scratch)
    return nodes.map(({ platform, node }) => {
      const executable = join(folder, `kitseal-${platform}${extname(node)}`)
      makeExecutable(blob, node, executable)
      return executable
    })
  })
}

function writeScript(folder: string): string {
  const script = join(folder, 'kitseal.cjs')
  writeFileSync(script, bundle('cli/src/standalone.ts', constants()), { mode: 0o755 })
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

/** The npm package `kitseal`: the command line without the server and without dependencies. Returns its folder. */
export function buildCliPackage(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const code = bundle('cli/src/standalone.ts', constants())
  writeFileSync(join(folder, 'kitseal.cjs'), `#!/usr/bin/env node\n${code}`, { mode: 0o755 })
  const description = {
    name: 'kitseal',
    version: cli.version,
    description: 'Seals evidence into kits that anyone can check: verify, check, submit.',
    license: cli.license,
    bin: { kitseal: 'kitseal.cjs' },
    man: ['kitseal.1'],
    files: ['kitseal.cjs', 'kitseal.1'],
    engines: { node: `>=${OLDEST_NODE}` },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`)
  copyFileSync(join(root, 'cli/man/kitseal.1'), join(folder, 'kitseal.1'))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  copyFileSync(join(root, 'cli/README.md'), join(folder, 'README.md'))
  return folder
}

function constants(): Record<string, string> {
  return {
    KITSEAL_THREAD_SOURCE: JSON.stringify(bundle('kit/node/hash-thread.ts', {})),
    KITSEAL_VERIFIER_PAGE: JSON.stringify(readFileSync(join(root, 'kit/embed/verifier.html'), 'utf8')),
    KITSEAL_PROFILES: JSON.stringify(profiles()),
  }
}

/** The built-in profiles as a list of JSON texts. */
function profiles(): string {
  const folder = join(root, 'profiles')
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
