'use strict'
const fs = require('fs')
const path = require('path')

const dist = path.join(__dirname, '..', 'dist')
const root = path.join(__dirname, '..', '..')

/** Whether the command line, or the part of it that is `command`, was bundled from the source as it is now. */
exports.isFresh = (command) => {
  try {
    const { verify, others } = JSON.parse(fs.readFileSync(path.join(dist, 'inputs.json'), 'utf8'))
    return verify.every(isAsItWas) && (command === 'verify' || others.every(isAsItWas))
  } catch {
    return false
  }
}

function isAsItWas([name, mtimeMs, size]) {
  // Not path.join(): a hundred of them take two milliseconds, in a program that runs for fifty.
  const file = fs.statSync(`${root}/${name}`)
  return file.mtimeMs === mtimeMs && file.size === size
}
