import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import * as kit from '../kit/src/index.ts'
import { nodeHost, openKit } from '../kit/node/index.ts'
import { vectorFiles } from './make-vectors.ts'
import { type Implementation, runVector } from './run-vector.ts'
import type { Vector } from './vector.ts'

const folder = path.join(import.meta.dirname, 'vectors')
const at = (file: string): string => path.join(folder, file)
const read = async (file: string): Promise<Uint8Array> => readFileSync(at(file))
const vectors = JSON.parse(readFileSync(at('index.json'), 'utf8')) as readonly Vector[]

const inNode: Implementation = { kit, host: nodeHost, open: (file) => openKit(at(file)), read }
const onWebStandards: Implementation = {
  kit,
  host: kit.webHost,
  open: async (file) => {
    const bytes = await read(file)
    const source = {
      sizeBytes: bytes.length,
      read: (offset: number, length: number) => bytes.subarray(offset, offset + length),
    }
    return kit.openZip(source, kit.webHost)
  },
  read,
}

test('the committed vectors are those that make-vectors.ts makes', () => {
  for (const [file, bytes] of vectorFiles()) {
    assert.ok(Buffer.compare(readFileSync(at(file)), bytes) === 0, `${file} is stale: npm run vectors`)
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
