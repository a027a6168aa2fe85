import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colors, writeLines } from './terminal.ts'

const printed = (...texts: readonly string[]): string => {
  let all = ''
  writeLines({ write: (text) => (all += text) }, texts)
  return all
}

test('control and bidirectional characters are escaped wherever a command prints them', () => {
  assert.equal(printed('a\u001b]0;title\u0007b', 'c\rd'), 'a\\u001b]0;title\\u0007b\nc\\u000dd\n')
  assert.equal(printed('x\u202egpj.exe\u2066'), 'x\\u202egpj.exe\\u2066\n')
  assert.equal(printed('\u001b[2J\u001b[8mhidden\u009b'), '\\u001b[2J\\u001b[8mhidden\\u009b\n')
})

test('line breaks, tabs and the styles of the command line stay', () => {
  const style = colors({ env: {}, stdout: { isTTY: true, write: () => true }, stderr: { write: () => true } })
  const own = `${style.good('a')}${style.bad('b')}${style.warn('c')}${style.faint('d')}${style.strong('e')}`
  assert.ok(own.includes('\u001b['))
  assert.equal(printed(`${own}\tf\ng`), `${own}\tf\ng\n`)
})
