'use strict'
// Plain JavaScript: npm runs it after an install, under whatever Node the machine has.
// Bundles the command line, because loading seventy modules takes longer than verifying a small kit. The bundle is
// used only while every file that went into it is the same as it was (bin/bundle.cjs); otherwise the source runs.
const fs = require('fs')
const path = require('path')
const root = path.dirname(__dirname)
const page = 'kit/embed/verifier.html'

function build(esbuild) {
  const made = path.join(__dirname, 'dist')
  const making = path.join(__dirname, 'dist.' + process.pid)
  const { metafile } = esbuild.buildSync({
    absWorkingDir: root,
    entryPoints: { main: 'cli/src/main.ts', 'measure-thread': 'kit/node/measure-thread.ts' },
    outdir: making,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    external: ['@kitseal/server'],
    define: { KITSEAL_VERIFIER_PAGE: JSON.stringify(fs.readFileSync(path.join(root, page), 'utf8')) },
  })
  const inputs = [page].concat(Object.keys(metafile.inputs)).map((name) => {
    const { mtimeMs, size } = fs.statSync(path.join(root, name))
    return [name, mtimeMs, size]
  })
  fs.writeFileSync(path.join(making, 'inputs.json'), JSON.stringify(inputs))
  fs.rmSync(made, { recursive: true, force: true })
  fs.renameSync(making, made)
}

try {
  build(require('esbuild'))
} catch (error) {
  // The source runs as well, only slower to start.
  if (error.code !== 'MODULE_NOT_FOUND') throw error
}
