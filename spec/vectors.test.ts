import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import * as kit from '../kit/src/internal.ts'
import { openBytes } from '../kit/test/make-kit.ts'
import { nodeHost, openKit } from '../kit/node/internal.ts'
import { type Implementation, runVector } from './run-vector.ts'
import { readVectorFile, vectorFiles, vectors, VECTORS_FOLDER } from './stored-vectors.ts'

const at = (file: string): string => path.join(VECTORS_FOLDER, file)

const inNode: Implementation = {
  kit,
  host: nodeHost,
  open: (file) => openKit(at(file)),
  read: readVectorFile,
}

const onWebStandards: Implementation = {
  kit,
  host: kit.webHost,
  open: async (file) => {
    return openBytes(await readVectorFile(file), kit.webHost)
  },
  read: readVectorFile,
}

/** `sha256sum` of each file of a release of the format, in one hash. A change of the format adds files and another row. */
const FROZEN = { 'FES-1.0-preview': '2490e1e27d0d45f51e89fd600199f9c99fc931345662072d65082049b6cbed09' }

test('the vectors of each release of the format are frozen', () => {
  const sums = vectorFiles().map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(at(file)))
        .digest('hex')}  ${file}\n`,
  )
  assert.equal(createHash('sha256').update(sums.join('')).digest('hex'), FROZEN['FES-1.0-preview'])
})

test('no two vectors have the same input', () => {
  const seen = new Map<string, string>()
  for (const vector of vectors) {
    if (vector.kind !== 'kit') continue
    const key = `${Buffer.from(readFileSync(at(vector.file))).toString('base64')} ${JSON.stringify(vector.trust)}`
    assert.equal(seen.get(key), undefined, `${vector.name} repeats ${seen.get(key)}`)
    seen.set(key, vector.name)
  }
})

for (const vector of vectors) {
  test(`${vector.name}: in Node`, async () => {
    assert.deepEqual(await runVector(vector, inNode), vector.expected)
  })

  test(`${vector.name}: on web standards`, async () => {
    assert.deepEqual(await runVector(vector, onWebStandards), vector.expected)
  })
}
