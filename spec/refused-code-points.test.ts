import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { collisionKey, pathProblem } from '../kit/src/paths.ts'
import { hasRefusedCodePoint } from '../kit/src/refused-code-points.ts'
import { PROGRAM, python, skipWithoutPython as skip } from './independent/python.ts'

const list = readFileSync(path.join(import.meta.dirname, 'refused-code-points.txt'), 'utf8')

/** All code points but ideographs, Hangul, private use and empty planes. */
const BLOCKS = [
  [0x20, 0x3400],
  [0xa000, 0xac00],
  [0xf900, 0x1_8800],
  [0x1_aff0, 0x2_0000],
  [0xe_0000, 0xe_0200],
] as const

test('the code points that paths must not contain are those of the list', () => {
  const refused: string[] = []
  let first: number | undefined
  for (let code = 0; code <= 0x11_0000; code++) {
    const isRefused = code <= 0x10_ffff && hasRefusedCodePoint(String.fromCodePoint(code))
    if (isRefused) first ??= code
    else if (first !== undefined) {
      refused.push(first === code - 1 ? hex(first) : `${hex(first)}..${hex(code - 1)}`)
      first = undefined
    }
  }
  assert.equal(`${refused.join('\n')}\n`, list)
})

test('the specification states the hash of the list', () => {
  const format = readFileSync(path.join(import.meta.dirname, 'kit-format.md'), 'utf8')
  assert.ok(format.includes(createHash('sha256').update(list).digest('hex')))
})

test('Unicode as this Node.js knows it assigns every code point that paths may contain', () => {
  for (const character of characters(0, 0x11_0000))
    if (/\p{Cn}/u.test(character)) assert.ok(hasRefusedCodePoint(character), character)
})

test('both verifiers refuse, normalize and compare every code point alike', { skip }, () => {
  const script = `
import hashlib, importlib.util, sys
spec = importlib.util.spec_from_file_location("program", sys.argv[1])
program = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)
for first, last in ${JSON.stringify(BLOCKS)}:
    for code in range(first, last):
        for path in (chr(code), chr(code) + chr(0x307)):
            print("-" if program.path_problem(path) else program.collision_key(path))
`
  const { stdout, stderr } = python('-B', '-X', 'utf8', '-c', script, PROGRAM)
  const expected: string[] = []
  for (const [first, last] of BLOCKS)
    for (const character of characters(first, last))
      for (const each of [character, `${character}\u0307`])
        expected.push(pathProblem(each) === undefined ? collisionKey(each) : '-')
  assert.equal(stderr, '')
  const got = stdout.split('\n')
  const different = expected.findIndex((key, index) => key !== got[index])
  assert.equal(got[different], expected[different])
})

function* characters(first: number, last: number): Generator<string> {
  for (let code = first; code < last; code++)
    if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code)
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0')
}
