import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import * as kit from '../kit/src/index.ts'
import { openBytes } from '../kit/test/make-kit.ts'
import { nodeHost, openKit } from '../kit/node/index.ts'
import { vectorFiles } from './make-vectors.ts'
import { type Implementation, runVector } from './run-vector.ts'
import { readVectorFile, vectors, VECTORS_FOLDER } from './stored-vectors.ts'

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

test('the committed vectors equal the output of make-vectors.ts', () => {
  const made = vectorFiles()
  const kept = globSync('**', { cwd: VECTORS_FOLDER }).filter((file) => statSync(at(file)).isFile())
  assert.deepEqual(kept.toSorted(), [...made.keys()].toSorted())
  for (const [file, bytes] of made)
    assert.ok(Buffer.compare(readFileSync(at(file)), bytes) === 0, `${file} is stale: npm run vectors`)
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
