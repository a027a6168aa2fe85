import assert from 'node:assert/strict'
import { test } from 'node:test'
import { binderInput, evidence, manyFiles, textOf } from '../test/binder-fixture.ts'
import { needs } from '../../test/kit/needs.ts'
import { binderMaker } from './make-binder.ts'

const { make: makeBinder } = binderMaker()

test('ten thousand files are listed, each with its hash', needs('pdftotext'), async () => {
  const files = manyFiles(10_000)
  const pdf = await makeBinder(binderInput({ files }))
  assert.ok(pdf.length < 4_000_000, `${pdf.length} bytes`)
  const found = new Set((await textOf(pdf)).match(/\b[0-9a-f]{64}\b/g))
  assert.deepEqual(found, new Set(files.map((file) => file.sha256)))
})

test('ten thousand names of maximum length still give a small binder', async () => {
  const deep = `data/${'Ünïcödé çhàrâctèrs ωςερτ '.repeat(9)}`
  const files = Array.from({ length: 10_000 }, (_, index) =>
    evidence(`${deep}${index % 9}/${deep.slice(5)}${index}`),
  )
  const pdf = await makeBinder(binderInput({ files }))
  assert.ok(pdf.length < 4_000_000, `${pdf.length} bytes`)
})
