import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { shellPath, shellWord } from './shell-word.ts'

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
  test(`${shell} takes each printed word as the name that it stands for`, { skip: missing }, () => {
    // POSIX shells of an older kind do not know $'…'.
    const knowsAll = shell === 'bash' || shell === 'zsh'
    for (const name of NAMES.filter((text) => knowsAll || !/\p{C}/u.test(text))) {
      const printed = execFileSync(shell, ['-c', `printf %s ${shellWord(name)}`], {
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      })
      assert.equal(printed, name)
    }
  })
}

test('a word holds nothing that a terminal acts on, and needs no quotes where there is nothing to quote', () => {
  for (const name of NAMES) assert.doesNotMatch(shellWord(name), /[\p{C}\p{Zl}\p{Zp}]/u)
  assert.equal(shellWord('sub/report-1.txt'), 'sub/report-1.txt')
})

test('a shell that does not know the spelling of control characters runs nothing either', () => {
  const printed = execFileSync('sh', ['-c', `printf %s ${shellWord("a\n'$(echo ran)'")}`], {
    encoding: 'utf8',
  })
  assert.match(printed, /\$\(echo ran\)/)
})

test('a file whose name starts with a dash is no option', () => {
  assert.equal(shellPath('-rf'), './-rf')
  assert.equal(shellPath('- $x'), "'./- $x'")
})
