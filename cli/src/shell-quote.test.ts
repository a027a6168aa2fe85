import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { shellQuotePath, shellQuote } from './terminal.ts'

const NAMES = [
  'report.txt',
  '',
  'a b.txt',
  '$(touch pwned).txt',
  '`id`',
  "it's",
  'a"b\\c',
  '~root',
  '=ls',
  'a;b|c&d>e<f',
  '*?[a]{b,c}',
  '!!',
  '#x',
  'ü 漢',
  'a\nb\'c\\d"$(id)',
  '\u001b[2J\u202etxt',
]

for (const shell of ['sh', 'dash', 'bash', 'zsh']) {
  const missing = spawnSync(shell, ['-c', 'true']).status === 0 ? false : `${shell} is not installed`
  test(`${shell} reads each quoted word as the original name`, { skip: missing }, () => {
    // Older POSIX shells do not support $'…'.
    const knowsAll = shell === 'bash' || shell === 'zsh'
    for (const name of NAMES.filter((text) => knowsAll || !/\p{C}/u.test(text))) {
      const printed = execFileSync(shell, ['-c', `printf %s ${shellQuote(name)}`], {
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      })
      assert.equal(printed, name)
    }
  })
}

test('control characters are escaped, and plain words are not quoted', () => {
  for (const name of NAMES) assert.doesNotMatch(shellQuote(name), /[\p{C}\p{Zl}\p{Zp}]/u)
  assert.equal(shellQuote('sub/report-1.txt'), 'sub/report-1.txt')
})

test("a shell without $'…' runs nothing either", () => {
  const printed = execFileSync('sh', ['-c', `printf %s ${shellQuote("a\n'$(echo ran)'")}`], {
    encoding: 'utf8',
  })
  assert.match(printed, /\$\(echo ran\)/)
})

test('a file name that starts with a dash is not taken for an option', () => {
  assert.equal(shellQuotePath('-rf'), './-rf')
  assert.equal(shellQuotePath('- $x'), "'./- $x'")
})
