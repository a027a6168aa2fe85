// `node cli/build.ts` bundles the command line and the service into cli/dist: loading hundreds of modules takes longer than verifying a
// small kit. A bundle is used while its source is unchanged (bin/bundle.cjs); otherwise the source runs. `node cli/build.ts FOLDER`
// bundles them for a release, where there is no source.
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, type BuildOptions, type Plugin } from 'esbuild'

const root = path.dirname(import.meta.dirname)
const [, , released] = process.argv
const made = released ?? path.join(import.meta.dirname, 'dist')
const making = `${made}.${process.pid}`

/** Read at run time from the source, and part of the bundle of the command line. */
const PAGE = 'kit/embed/verifier.html'

const COMMON: BuildOptions = {
  absWorkingDir: root,
  outdir: making,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
}
const MODULES: BuildOptions = {
  ...COMMON,
  format: 'esm',
  splitting: true,
  outExtension: { '.js': '.mjs' },
  // Bundled CommonJS packages call require, which ES modules do not have.
  banner: {
    js: "import{createRequire as kitsealRequire}from'node:module';const require=kitsealRequire(import.meta.url);",
  },
}
const SCRIPTS: BuildOptions = {
  ...COMMON,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  banner: { js: "const KITSEAL_URL=require('node:url').pathToFileURL(__filename).href" },
  define: { 'import.meta.url': 'KITSEAL_URL' },
}

const commands: BuildOptions = {
  ...MODULES,
  entryPoints: { main: 'cli/src/main.ts', 'read-thread': 'examiner/node/read-thread.ts' },
  external: ['@kitseal/server'],
  define: { KITSEAL_VERIFIER_PAGE: JSON.stringify(readFileSync(path.join(root, PAGE), 'utf8')) },
}

/** One CommonJS file starts faster than modules in chunks. bin/kitseal.cjs uses it where none of what is external is loaded. */
const verify: BuildOptions = {
  ...SCRIPTS,
  entryPoints: { verify: 'cli/src/commands/verify.ts', 'hash-thread': 'kit/node/hash-thread.ts' },
  external: ['../pin-issuer.ts', '../read-policy.ts'],
}

/** Modules find files beside their source, wherever the project is, and threads beside the bundle. */
const ownAddress: Plugin = {
  name: 'own address',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const source = path.relative(root, file).split(path.sep).join('/')
      const address = `new URL('../../../${source}', KITSEAL_META).href`
      const contents = readFileSync(file, 'utf8')
        .replaceAll(
          /new URL\('\.\/work\/(worker-thread)\.ts', import\.meta\.url\)/g,
          "new URL('./$1.mjs', KITSEAL_META)",
        )
        .replaceAll('import.meta.url', file.endsWith('hash-threads.ts') ? 'KITSEAL_META' : address)
        .replaceAll('KITSEAL_META', 'import.meta.url')
      return { contents, loader: 'ts' }
    }),
}

/** Parts of packages that the service loads and never uses, and what stands for them. */
const UNUSED: readonly (readonly [filter: RegExp, contents: string])[] = [
  // Logs of packages, which only a variable of their own turns on.
  [/node_modules[\\/]debug[\\/]src[\\/]index\.js$/, 'module.exports = () => () => {}'],
  // Fastify asks whether plugins are for its version. package-lock.json says so.
  [/node_modules[\\/]semver[\\/]index\.js$/, 'module.exports = { satisfies: () => true }'],
  [/prom-client[\\/]lib[\\/](?:cluster|defaultMetrics|pushgateway)\.js$/, 'module.exports = undefined'],
]

/** Modules whose loading takes a tenth of a second at each start. */
const leanModules: Plugin = {
  name: 'lean modules',
  setup: ({ onResolve, onLoad }) => {
    // An ES import of a module of Node reads all its exports, and some of them load others, such as fetch.
    onResolve({ filter: /^node:/ }, ({ path: name, kind }) =>
      kind === 'import-statement' ? { path: name, namespace: 'required' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path: name }) => ({
      contents: `module.exports = require('${name}')`,
    }))
    // The router compiles a function for each part of a path, 500 in all. Comparing texts is as quick for paths as short as ours.
    onLoad({ filter: /find-my-way[\\/]lib[\\/]node\.js$/ }, ({ path: file }) => ({
      contents: replaced(file, 'LONG_PREFIX_MIN_LENGTH = 16', 'LONG_PREFIX_MIN_LENGTH = 2'),
    }))
    for (const [filter, contents] of UNUSED) onLoad({ filter }, () => ({ contents }))
    // For WOFF2 files. The binder decompresses its fonts before it opens them with fontkit.
    onResolve({ filter: /^brotli\/decompress\.js$/ }, ({ path: name }) => ({
      path: name,
      namespace: 'left out',
    }))
    onLoad({ filter: /.*/, namespace: 'left out' }, ({ path: name }) => ({
      contents: `module.exports = () => { throw new Error('${name} is not part of this bundle') }`,
    }))
  },
}

/** Throws if another version of the package no longer has that text. */
function replaced(file: string, text: string, by: string): string {
  const source = readFileSync(file, 'utf8')
  if (!source.includes(text)) throw new Error(`${file} has no ${text}`)
  return source.replace(text, by)
}

const NATIVE = ['better-sqlite3', 'pkcs11js']
/** Large packages that few services load. A release has no node_modules to load them from. */
const LARGE = ['pg', 'nodemailer', 'pdfjs-dist', '@aws-sdk/*']
/** In a bundle, the dynamic import of a CommonJS package has no named exports. */
const ES_MODULES = ['@aws-sdk/client-s3', '@aws-sdk/lib-storage'].map((name) => [
  name,
  path.join(root, 'node_modules', name, 'dist-es/index.js'),
])

/** Threads are entry points of their own. */
const service: BuildOptions = {
  ...MODULES,
  outdir: path.join(making, 'service'),
  entryPoints: { index: 'server/src/index.ts', 'worker-thread': 'server/src/work/worker-thread.ts' },
  minify: false,
  minifyWhitespace: true,
  external: [...NATIVE, ...(released === undefined ? LARGE : ['pg-native'])],
  alias: released === undefined ? {} : Object.fromEntries(ES_MODULES),
  plugins: [ownAddress, leanModules],
}
const serviceThread: BuildOptions = {
  ...SCRIPTS,
  outdir: path.join(making, 'service'),
  entryPoints: { 'hash-thread': 'kit/node/hash-thread.ts' },
}

/** Bundles, and returns the source files. Packages change with package-lock.json, and modules of a plugin are no files. */
async function inputsOf(...bundles: readonly BuildOptions[]): Promise<readonly string[]> {
  const built = await Promise.all(bundles.map((options) => build({ ...options, metafile: true })))
  const names = new Set(built.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {})))
  return [...names].filter((name) => !/(^|\/)node_modules\//.test(name) && existsSync(path.join(root, name)))
}

const stateOf = (name: string) => {
  const { mtimeMs, size } = statSync(path.join(root, name))
  return [name, mtimeMs, size]
}

const hasServer = existsSync(path.join(root, 'server/src/index.ts'))
const [ofVerify, ofCommands, ofService] = await Promise.all([
  inputsOf(verify),
  inputsOf(commands),
  hasServer ? inputsOf(service, serviceThread) : [],
])
const inputs = {
  verify: ofVerify,
  // `verify` compares only its own.
  others: [PAGE, ...ofCommands].filter((name) => !ofVerify.includes(name)),
  service: hasServer ? [...ofService, 'package-lock.json'] : [],
}
const states = Object.entries(inputs).map(([name, files]) => [name, released ? [] : files.map(stateOf)])
writeFileSync(path.join(making, 'inputs.json'), JSON.stringify(Object.fromEntries(states)))
rmSync(made, { recursive: true, force: true })
renameSync(making, made)
