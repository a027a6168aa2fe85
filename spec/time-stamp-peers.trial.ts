// `KITSEAL_MUTATIONS=100000` changes the number of mutations.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { utf8 } from '../kit/src/encoding/utf8.ts'
import { DATA } from './making/cases/time-stamps.ts'
import * as kit from '../kit/src/index.ts'
import { nodeHost } from '../kit/node/index.ts'
import { runVectors, skipWithoutPython } from './independent/python.ts'
import { runVector } from './run-vector.ts'
import { readVectorFile, vectors, VECTORS_FOLDER } from './stored-vectors.ts'
import type { Vector } from './vector.ts'
import { mutationsOf } from './time-stamp-mutations.ts'
import { Openssl, ours, pkijsAccepts, skipWithoutOpenssl } from './time-stamp-peers.ts'

const data = utf8(DATA)
const BASES = [
  'by-ecdsa-with-p-384',
  'by-rsa-with-sha-256',
  'with-the-name-of-its-authority',
  'with-three-ca-certificates',
]
const COUNT = Number(process.env['KITSEAL_MUTATIONS'] ?? 4000)

test(
  'many mutated time-stamps: what we accept, OpenSSL and PKI.js accept',
  { skip: skipWithoutOpenssl },
  async () => {
    using openssl = new Openssl(data)
    let accepted = 0
    for (const base of BASES) {
      const vector = vectors.find(({ name }) => name === `a-time-stamp-${base}-is-accepted`)
      assert.ok(vector)
      for (const mutated of mutationsOf(await readVectorFile(vector.file), COUNT / BASES.length, base)) {
        const status = await ours(mutated, data)
        if (status?.is !== 'trusted') continue
        accepted++
        const text = `${base}: ${Buffer.from(mutated).toString('hex')}`
        assert.ok(openssl.accepts(mutated), `openssl rejects ${text}`)
        assert.ok(await pkijsAccepts(mutated, data), `pkijs rejects ${text}`)
      }
    }
    assert.ok(accepted > 0)
  },
)

const open = (): never => assert.fail('there are no kits')

test('mutated time-stamps have the same result in Python', { skip: skipWithoutPython }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-mutations-'))
  try {
    cpSync(path.join(VECTORS_FOLDER, 'roots'), path.join(folder, 'roots'), { recursive: true })
    const mutated: Vector[] = []
    for (const vector of vectors) {
      if (vector.kind !== 'time-stamp' || vector.expected.code !== null) continue
      for (const bytes of mutationsOf(await readVectorFile(vector.file), 20, vector.name)) {
        const name = `mutation-${mutated.length}`
        writeFileSync(path.join(folder, `${name}.tsr`), bytes)
        mutated.push({ ...vector, name, file: `${name}.tsr` })
      }
    }
    writeFileSync(path.join(folder, 'index.json'), JSON.stringify(mutated))
    const inPython = runVectors(folder)
    const read = async (file: string): Promise<Uint8Array> => readFileSync(path.join(folder, file))
    for (const vector of mutated)
      assert.deepEqual(
        await runVector(vector, { kit, host: nodeHost, open, read }),
        inPython[vector.name],
        vector.file,
      )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
