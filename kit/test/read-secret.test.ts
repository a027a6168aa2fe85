import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readSecret } from '../node/internal.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-secret-'))
after(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'secret')

const fromFile = (content: string | Uint8Array): string | undefined => {
  writeFileSync(path, content)
  return readSecret({ KITSEAL_X_FILE: path }, 'KITSEAL_X')
}

test('a secret is in a variable or in a file, whose last line break does not count', () => {
  assert.equal(readSecret({ KITSEAL_X: 'a\n' }, 'KITSEAL_X'), 'a\n')
  assert.equal(readSecret({}, 'KITSEAL_X'), undefined)
  assert.equal(readSecret({ KITSEAL_X: '', KITSEAL_X_FILE: '' }, 'KITSEAL_X'), undefined)
  for (const content of ['pass word', 'pass word\n', 'pass word\r\n'])
    assert.equal(fromFile(content), 'pass word')
  assert.equal(readSecret({ KITSEAL_X: '', KITSEAL_X_FILE: path }, 'KITSEAL_X'), 'pass word')
  assert.equal(fromFile(' kept \n'), ' kept ')
})

test('a secret that is set twice is refused', () => {
  fromFile('a')
  const both = { KITSEAL_X: 'a', KITSEAL_X_FILE: path }
  assert.throws(() => readSecret(both, 'KITSEAL_X'), /KITSEAL_X and KITSEAL_X_FILE are both set/)
})

const UNUSABLE: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  ['is empty', '', /it is empty/],
  ['is an empty line', '\n', /it is empty/],
  ['has two lines', 'hunter2\nb\n', /more than one line/],
  ['ends in two line breaks', 'hunter2\n\n', /more than one line/],
  ['contains NUL', 'hunter2\0', /NUL/],
  ['is not UTF-8', Uint8Array.of(0xff, 0xfe), /not UTF-8/],
  ['is too large', 'hunter2'.repeat(200_000), /larger than 1 MiB/],
]
for (const [what, content, problem] of UNUSABLE)
  test(`a file that ${what} is refused, with its path and without the secret`, () => {
    assert.throws(
      () => fromFile(content),
      ({ message }: Error) => problem.test(message) && message.includes(path) && !message.includes('hunter2'),
    )
  })

test('a file that is missing and a folder are refused', () => {
  const missing = join(folder, 'none')
  assert.throws(() => readSecret({ KITSEAL_X_FILE: missing }, 'KITSEAL_X'), /no such file/)
  assert.throws(() => readSecret({ KITSEAL_X_FILE: folder }, 'KITSEAL_X'), /it is a folder/)
})
