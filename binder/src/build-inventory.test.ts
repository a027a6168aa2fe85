import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evidence } from '../test/binder-fixture.ts'
import { buildInventory } from './build-inventory.ts'
import { graphemesOf } from './text/emoji-sequences.ts'

const hindiWord = (at: number): string =>
  Array.from({ length: 30 }, (_, digit) => 'कखगघङचछजझञ'[Math.floor(at / 10 ** (digit % 4)) % 10]).join('ि')

test('thousands of different words in complex scripts are shortened, between graphemes', () => {
  const files = Array.from({ length: 1500 }, (_, at) => evidence(`data/${hindiWord(at)}.pdf`))
  const { isShortened, folders } = buildInventory(files)
  assert.equal(isShortened, true)
  for (const { path, name } of folders[0]?.files ?? []) {
    const [start = '', end = ''] = name.split(' … ')
    assert.ok(path.startsWith(`data/${start}`) && path.endsWith(end), name)
    assert.deepEqual(graphemesOf(path.slice(5)).slice(0, graphemesOf(start).length), graphemesOf(start))
    assert.deepEqual(graphemesOf(path).slice(-graphemesOf(end).length), graphemesOf(end))
    assert.ok(name.length < 40, name)
  }
})

test('the same words in thousands of names are not shortened', () => {
  const files = Array.from({ length: 10_000 }, (_, at) => evidence(`data/${hindiWord(at % 500)} ${at}.pdf`))
  assert.equal(buildInventory(files).isShortened, false)
})
