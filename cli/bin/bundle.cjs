'use strict'
const fs = require('fs')
const path = require('path')

const dist = path.join(__dirname, '..', 'dist')
const root = path.join(__dirname, '..', '..')

/** The bundled command line where it is there and made from the source as it is now, otherwise the source. */
exports.entry = () => {
  try {
    const inputs = JSON.parse(fs.readFileSync(path.join(dist, 'inputs.json'), 'utf8'))
    const fresh = inputs.every(([name, mtimeMs, size]) => {
      const file = fs.statSync(path.join(root, name))
      return file.mtimeMs === mtimeMs && file.size === size
    })
    if (fresh) return '../dist/main.mjs'
  } catch {
    // Not built, or a source file is gone.
  }
  return '../src/main.ts'
}
