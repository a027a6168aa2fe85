'use strict'
// Plain JavaScript: npm runs it after an install, with any version of Node.
// Bundles the command line, because loading seventy modules takes longer than verifying a small kit. The bundle is
// used only while its source is unchanged (bin/bundle.cjs); otherwise the source runs. `node build.cjs FOLDER` bundles it for a
// release into FOLDER, where there is no source.
const childProcess = require('child_process')
const fs = require('fs')
const path = require('path')
const root = path.dirname(__dirname)
const page = 'kit/embed/verifier.html'

const released = process.argv[2]
const COMMANDS = { main: 'cli/src/main.ts', 'read-thread': 'examiner/node/read-thread.ts' }

function build(esbuild) {
  const made = released || path.join(__dirname, 'dist')
  const making = made + '.' + process.pid
  const modules = {
    outdir: making,
    splitting: true,
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    // Bundled CommonJS packages call require, which ES modules do not have.
    banner: {
      js: "import{createRequire as kitsealRequire}from'node:module';const require=kitsealRequire(import.meta.url);",
    },
  }
  // `verify` and its threads are separate CommonJS bundles, which start faster than ES modules with chunks.
  const separate = {
    outdir: making,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    banner: { js: "const KITSEAL_URL=require('node:url').pathToFileURL(__filename).href" },
  }
  const entries = {
    verify: 'cli/src/verify-alone.ts',
    'hash-thread': 'kit/node/hash-thread.ts',
  }
  const all = bundle(esbuild, Object.assign({ entryPoints: COMMANDS }, modules))
  const verify = bundle(esbuild, Object.assign({ entryPoints: entries }, separate), {
    'import.meta.url': 'KITSEAL_URL',
  })
  // `verify` compares only its own inputs.
  const others = [page].concat(profiles(), all).filter((name) => verify.indexOf(name) < 0)
  const service = bundleService(making)
  const inputs = released
    ? { verify: [], others: [], service: [] }
    : { verify: verify.map(stateOf), others: others.map(stateOf), service: service.map(stateOf) }
  fs.writeFileSync(path.join(making, 'inputs.json'), JSON.stringify(inputs))
  fs.rmSync(made, { recursive: true, force: true })
  fs.renameSync(making, made)
}

/** The profiles that ship with the command line, which are not beside its bundle. */
function profiles() {
  const folder = 'examiner/profiles/'
  return fs.readdirSync(path.join(root, folder)).map((name) => folder + name)
}

/** Returns the input files of the bundle. */
function bundle(esbuild, options, constants) {
  const html = fs.readFileSync(path.join(root, page), 'utf8')
  const texts = profiles().map((name) => fs.readFileSync(path.join(root, name), 'utf8'))
  const { metafile } = esbuild.buildSync(
    Object.assign(
      {
        absWorkingDir: root,
        bundle: true,
        minify: true,
        metafile: true,
        platform: 'node',
        target: 'node24',
        external: ['@kitseal/server'],
        define: Object.assign(
          {
            KITSEAL_VERIFIER_PAGE: JSON.stringify(html),
            KITSEAL_PROFILES: JSON.stringify(JSON.stringify(texts)),
          },
          constants,
        ),
      },
      options,
    ),
  )
  return Object.keys(metafile.inputs)
}

/** Returns the input files; none if the server is not part of this build. In a process of its own, because it takes a plugin. */
function bundleService(folder) {
  if (!fs.existsSync(path.join(root, 'server/src/index.ts'))) return []
  const script = path.join(__dirname, 'build-service.cjs')
  const args = [script, folder].concat(released ? '--released' : [])
  return JSON.parse(childProcess.execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

function stateOf(name) {
  const { mtimeMs, size } = fs.statSync(path.join(root, name))
  return [name, mtimeMs, size]
}

try {
  build(require('esbuild'))
} catch (error) {
  // Without esbuild, the source runs; it only starts slower.
  if (error.code !== 'MODULE_NOT_FOUND') throw error
}
