'use strict'
// Plain JavaScript, run by build.cjs: bundles the service for `kitseal serve` into FOLDER/service, and prints its inputs.
const fs = require('fs')
const path = require('path')
const { leanModules } = require('./lean-modules.cjs')
const root = path.dirname(__dirname)

/** Threads and processes are entry points of their own. */
const ENTRY_POINTS = {
  index: 'server/src/index.ts',
  'crew-thread': 'server/src/work/crew-thread.ts',
}
const HASH_THREAD = { 'hash-thread': 'kit/node/hash-thread.ts' }
const isReleased = process.argv[3] === '--released'
const NATIVE = ['better-sqlite3', 'pkcs11js']
/** Large packages that few services load. A release has no node_modules to load them from. */
const LARGE = isReleased ? ['pg-native'] : ['pg', 'nodemailer', 'pdfjs-dist', '@aws-sdk/*']
/** In a bundle, the dynamic import of a CommonJS package has no named exports. */
const ES_MODULES = ['@aws-sdk/client-s3', '@aws-sdk/lib-storage']
const alias = Object.fromEntries(
  ES_MODULES.map((name) => [name, path.join(root, 'node_modules', name, 'dist-es/index.js')]),
)
const THREAD = /new URL\('\.\/work\/(crew-thread)\.ts', import\.meta\.url\)/g

/** Modules find files beside their source, wherever the project is, and threads beside the bundle. */
const ownAddress = {
  name: 'own address',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const source = fs.readFileSync(file, 'utf8')
      const fromBundle = '../../../' + path.relative(root, file).split(path.sep).join('/')
      const isThreads = file.endsWith('hash-threads.ts')
      const contents = source
        .replace(THREAD, "new URL('./$1.mjs', KITSEAL_META)")
        .replace(
          /import\.meta\.url/g,
          isThreads ? 'KITSEAL_META' : `new URL('${fromBundle}', KITSEAL_META).href`,
        )
        .replace(/KITSEAL_META/g, 'import.meta.url')
      return { contents, loader: 'ts' }
    }),
}

async function build(folder) {
  const esbuild = require('esbuild')
  const options = {
    absWorkingDir: root,
    outdir: path.join(folder, 'service'),
    bundle: true,
    minifyWhitespace: true,
    metafile: true,
    platform: 'node',
    target: 'node24',
    external: NATIVE.concat(LARGE),
    alias: isReleased ? alias : {},
    plugins: [ownAddress, leanModules],
  }
  const service = await esbuild.build(
    Object.assign({}, options, {
      entryPoints: ENTRY_POINTS,
      outExtension: { '.js': '.mjs' },
      splitting: true,
      format: 'esm',
      // Bundled CommonJS packages call require, which ES modules do not have.
      banner: {
        js: "import{createRequire as kitsealRequire}from'node:module';const require=kitsealRequire(import.meta.url);",
      },
    }),
  )
  const threads = await esbuild.build(
    Object.assign({}, options, {
      entryPoints: HASH_THREAD,
      outExtension: { '.js': '.cjs' },
      format: 'cjs',
      plugins: [],
      banner: { js: "const KITSEAL_URL=require('node:url').pathToFileURL(__filename).href" },
      define: { 'import.meta.url': 'KITSEAL_URL' },
    }),
  )
  await esbuild.stop()
  // Packages change with package-lock.json, and modules of a plugin are no files.
  const inputs = Object.keys(service.metafile.inputs)
    .concat(Object.keys(threads.metafile.inputs), 'package-lock.json')
    .filter((name) => !/(^|\/)node_modules\//.test(name) && fs.existsSync(path.join(root, name)))
  process.stdout.write(JSON.stringify(Array.from(new Set(inputs))))
}

build(process.argv[2]).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
