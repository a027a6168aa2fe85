'use strict'
// Runs before `npm start`, `npm test` and others: installs the packages, and builds the command line and the pages, where they are
// missing or older than their source. Plain JavaScript for the Node.js that is there; npm runs what follows on the Node.js 24
// that is one of the packages. `node scripts/ready.cjs pages` installs nothing, `release` compresses the pages well.
const { spawn, spawnSync } = require('child_process')
const fs = require('fs')
const path = require('path')

const root = path.dirname(__dirname)
const modules = path.join(root, 'node_modules')
const [, , what] = process.argv
const PAGES = ['web', 'texts', 'kit/src', 'kit/embed', 'client/src', 'examiner/src', 'package-lock.json']
const NO_SOURCE = /^(dist|node_modules|test)$|\.test\.tsx?$/

const major = parseInt(process.versions.node)
const platform = process.platform + '-' + process.arch
if (major < 20 || (major < 24 && !/^linux-(x64|arm64)$/.test(platform))) {
  console.error('kitseal needs Node.js 20 or newer on Linux, 24 elsewhere. This is ' + process.version)
  process.exit(2)
}
if (what !== 'pages' && timeOf('package-lock.json') > timeOf('node_modules/.package-lock.json')) install()
const { isFresh, isServiceFresh } = require('../cli/bin/bundle.cjs')
if (!isFresh() || !isServiceFresh()) build('node cli/build.ts')
const pages = 'vite build web --logLevel error'
if (what === 'release') build(pages + ' --mode release')
else if (latest(PAGES) > timeOf('web/dist/verify.html')) build(pages)
if (latest(['docs', 'web/src/parts/tokens.css', 'spec', 'SECURITY.md']) > timeOf('docs/dist/search.js'))
  build('node docs/site/build.ts')

function install() {
  console.error('Installing packages …')
  // npm empties node_modules, so it cannot run on the Node.js in there. Native code is compiled with its headers.
  const folders = process.env.PATH.split(path.delimiter).filter((folder) => !folder.startsWith(modules))
  const nodedir = path.join(modules, 'node-' + platform)
  const env = { ...process.env, PATH: folders.join(path.delimiter), npm_config_nodedir: nodedir }
  const command = 'npm ci --include=dev --include=optional --prefer-offline --loglevel=error'
  const { status } = spawnSync(command, { cwd: root, env, shell: true, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status || 1)
}

function build(command) {
  console.error('Building: ' + command)
  const env = { ...process.env, PATH: path.join(modules, '.bin') + path.delimiter + process.env.PATH }
  const built = spawn(command, { cwd: root, env, shell: true, stdio: ['ignore', 'ignore', 'inherit'] })
  built.on('exit', (code) => code === 0 || (process.exitCode = 1))
}

function timeOf(name) {
  const file = path.join(root, name)
  return fs.existsSync(file) ? fs.statSync(file).mtimeMs : 0
}

function latest(names) {
  const times = names.map((name) => {
    if (!fs.statSync(path.join(root, name)).isDirectory()) return timeOf(name)
    const inside = fs.readdirSync(path.join(root, name)).filter((child) => !NO_SOURCE.test(child))
    return latest(inside.map((child) => name + '/' + child))
  })
  return Math.max(0, ...times)
}
