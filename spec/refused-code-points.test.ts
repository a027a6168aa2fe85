import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { collisionKey, pathProblem } from '../kit/src/paths.ts'
import { REFUSED_CODE_POINTS } from '../kit/src/refused-code-points.ts'
import { PROGRAM, python, skipWithoutPython as skip } from './independent/python.ts'

const list = readFileSync(path.join(import.meta.dirname, 'refused-code-points.txt'), 'utf8')

test('the code points that paths must not contain are those of the list', () => {
  const refused: string[] = []
  let first: number | undefined
  for (let code = 0; code <= 0x11_0000; code++) {
    const isRefused = code <= 0x10_ffff && REFUSED_CODE_POINTS.test(String.fromCodePoint(code))
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
  for (const character of allCharacters())
    if (/\p{Cn}/u.test(character)) assert.match(character, REFUSED_CODE_POINTS)
})

test('both verifiers refuse, normalize and compare every code point alike', { skip }, () => {
  const script = `
import hashlib, importlib.util, sys
spec = importlib.util.spec_from_file_location("program", sys.argv[1])
program = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)
codes = (code for code in range(0x20, 0x110000) if not 0xD800 <= code <= 0xDFFF)
for code in codes:
    for path in (chr(code), chr(code) + chr(0x307)):
        print("-" if program.path_problem(path) else program.collision_key(path))
`
  const { stdout, stderr } = python('-B', '-X', 'utf8', '-c', script, PROGRAM)
  const expected: string[] = []
  for (const character of allCharacters())
    for (const each of [character, `${character}\u0307`])
      expected.push(pathProblem(each) === undefined ? collisionKey(each) : '-')
  assert.equal(stderr, '')
  const got = stdout.split('\n')
  const different = expected.findIndex((key, index) => key !== got[index])
  assert.equal(got[different], expected[different])
})

function* allCharacters(): Generator<string> {
  for (let code = 0x20; code <= 0x10_ffff; code++)
    if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code)
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0')
}
