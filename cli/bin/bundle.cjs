'use strict'
const fs = require('fs')
const path = require('path')

const dist = path.join(__dirname, '..', 'dist')
const root = path.join(__dirname, '..', '..')

/** Whether all files of these lists are as they were when the bundle was made. */
const areUnchanged = (...names) => {
  try {
    const inputs = JSON.parse(fs.readFileSync(path.join(dist, 'inputs.json'), 'utf8'))
    return names.every((name) => inputs[name].every(isUnchanged))
  } catch {
    return false
  }
}

/** Whether the bundle of `command` is up to date with its source. */
exports.isFresh = (command) =>
  command === 'verify' ? areUnchanged('verify') : areUnchanged('verify', 'others')

/** Whether the bundle of the service is up to date, or this build has none. */
exports.isServiceFresh = () => areUnchanged('service')

exports.freshService = () => {
  const service = path.join(dist, 'service/index.mjs')
  return exports.isServiceFresh() && fs.existsSync(service) ? service : undefined
}

function isUnchanged([name, mtimeMs, size]) {
  // Not path.join(): a hundred calls take two of the fifty milliseconds that the program runs.
  const file = fs.statSync(`${root}/${name}`)
  return file.mtimeMs === mtimeMs && file.size === size
}
