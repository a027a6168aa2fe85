'use strict'
// Plain JavaScript that old Node releases can parse. `npm start` in a fresh clone installs only what it runs and builds
// with, not the tools of tests, benchmarks and checks.
const fs = require('fs')
const path = require('path')
const node24 = require('../cli/bin/node24.cjs')

/** The development dependencies that bundles and pages are built with, by folder. */
const BUILT_WITH = { '': (name) => name === 'esbuild', web: () => true }

/** The module for hardware tokens is compiled at installation, and only these services need it. */
exports.areEnough = (env) => !env.KITSEAL_PKCS11_MODULE

/** The names of the development dependencies among these packages. */
exports.toBuildWith = (root) =>
  foldersOf(root).reduce(
    (names, folder) => names.concat(Object.keys(reduced(root, folder).devDependencies)),
    [],
  )

/** Whether `npm start` runs without this package, by its place in the lock file. */
exports.isNeedless = (place, { dev }) =>
  dev === true || (node24.isRunning() && place === 'node_modules/' + node24.bundledPackage())

/** Writes a project of only these packages into `into`. npm takes their versions from the same lock file. */
exports.writeProject = (root, into) => {
  for (const folder of foldersOf(root)) {
    fs.mkdirSync(path.join(into, folder), { recursive: true })
    fs.writeFileSync(path.join(into, folder, 'package.json'), JSON.stringify(reduced(root, folder)))
  }
  for (const name of ['package-lock.json', '.npmrc'])
    if (fs.existsSync(path.join(root, name))) fs.copyFileSync(path.join(root, name), path.join(into, name))
}

/** Moves the installed packages into the project; the links to workspaces are relative. The top folder, with npm's
 * record of what it installed, is the last. */
exports.moveInstalled = (from, root) => {
  for (const folder of foldersOf(root).slice(1).concat('')) {
    const packages = path.join(from, folder, 'node_modules')
    if (fs.existsSync(packages)) fs.renameSync(packages, path.join(root, folder, 'node_modules'))
  }
}

const foldersOf = (root) => [''].concat(readPackage(root, '').workspaces || [])

function reduced(root, folder) {
  const all = readPackage(root, folder)
  const devDependencies = {}
  for (const name of Object.keys(all.devDependencies || {}))
    if (BUILT_WITH[folder] && BUILT_WITH[folder](name)) devDependencies[name] = all.devDependencies[name]
  const others = folder === '' && node24.isRunning() ? { optionalDependencies: {} } : {}
  return Object.assign({}, all, { scripts: {}, devDependencies }, others)
}

const readPackage = (root, folder) =>
  JSON.parse(fs.readFileSync(path.join(root, folder, 'package.json'), 'utf8'))
