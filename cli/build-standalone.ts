import { execFileSync } from 'node:child_process'
import {
  chmodSync,
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
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import cli from './package.json' with { type: 'json' }

/** `npm run build:cli [-- FOLDER]` builds the command line without the server, as a script and as an executable with Node. */
const root = fileURLToPath(new URL('..', import.meta.url))

export function buildStandalone(folder: string): { readonly script: string; readonly executable: string } {
  mkdirSync(folder, { recursive: true })
  const script = join(folder, 'kitseal.cjs')
  writeFileSync(script, bundle('cli/src/standalone.ts', constants()), { mode: 0o755 })
  const executable = join(folder, 'kitseal')
  makeExecutable(script, executable)
  return { script, executable }
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
    engines: { node: '>=24' },
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

function bundle(entry: string, define: Record<string, string>): string {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    external: ['@kitseal/server'],
    // Files that are read at run time elsewhere are constants here, so this URL is never used.
    define: { ...define, 'import.meta.url': '"file:///kitseal.cjs"' },
  })
  return outputFiles[0]!.text
}

const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

function makeExecutable(script: string, executable: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-build-'))
  try {
    const blob = join(folder, 'kitseal.blob')
    const config = join(folder, 'config.json')
    writeFileSync(
      config,
      JSON.stringify({ main: basename(script), output: blob, disableExperimentalSEAWarning: true }),
    )
    // The path is written into the blob. A relative one makes the build reproducible.
    execFileSync(process.execPath, ['--experimental-sea-config', config], {
      cwd: dirname(script),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    copyFileSync(process.execPath, executable)
    chmodSync(executable, 0o755)
    const postject = join(root, 'node_modules/postject/dist/cli.js')
    // Its warnings about compiler notes are harmless.
    execFileSync(process.execPath, [postject, executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE], {
      stdio: 'ignore',
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.main) {
  const { script, executable } = buildStandalone(process.argv[2] ?? join(root, 'dist'))
  for (const file of [script, executable])
    console.log(`${file}  ${Math.round(statSync(file).size / 1000)} KB`)
}
