import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { vectors, VECTORS_FOLDER, wrongResults } from './stored-vectors.ts'

const SCRIPT = `
import { readFileSync } from 'node:fs'
import * as kit from './src/internal.ts'
import { nodeHost, openKit } from './node/internal.ts'
import { runVector } from './run-vector.ts'

const at = (file) => process.argv[2] + '/' + file
const impl = { kit, host: nodeHost, open: (file) => openKit(at(file)), read: async (file) => readFileSync(at(file)) }
const results = {}
for (const vector of JSON.parse(readFileSync(at('index.json'), 'utf8')))
  results[vector.name] = await runVector(vector, impl).catch(String)
console.log(JSON.stringify(results))
`

test('kit/ with its English texts in an empty folder, without installed packages, passes every vector', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-alone-'))
  try {
    const kit = path.join(folder, 'kit')
    for (const part of ['src', 'node', 'package.json'])
      cpSync(path.join(import.meta.dirname, '../kit', part), path.join(kit, part), { recursive: true })
    const texts = 'texts/en/verifier.json'
    cpSync(path.join(import.meta.dirname, '..', texts), path.join(folder, texts), { recursive: true })
    cpSync(path.join(import.meta.dirname, 'run-vector.ts'), path.join(kit, 'run-vector.ts'))
    writeFileSync(path.join(kit, 'run.ts'), SCRIPT)
    assert.deepEqual(readdirSync(folder), ['kit', 'texts'])
    const done = spawnSync(process.execPath, ['run.ts', VECTORS_FOLDER], {
      cwd: kit,
      encoding: 'utf8',
      env: {},
      maxBuffer: 16 * 1024 * 1024,
    })
    assert.equal(done.status, 0, done.stderr)
    const results = JSON.parse(done.stdout) as Record<string, unknown>
    assert.equal(Object.keys(results).length, vectors.length)
    assert.deepEqual(wrongResults(results), [])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
