import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { manPage } from '../make-man.ts'
import { cliReference, REFERENCE } from '../make-reference.ts'
import { helpPages } from '../src/help-pages.ts'
import { COMMANDS, main } from '../src/main.ts'

test('the help of every command starts with its usage', async () => {
  for (const { command, text } of await helpPages(COMMANDS))
    assert.match(text, new RegExp(`^usage: kitseal ${command}`))
})

test('the man page matches the help (node cli/make-man.ts)', async () => {
  const kept = readFileSync(new URL('../man/kitseal.1', import.meta.url), 'utf8')
  assert.equal(kept, await manPage(), 'the man page is stale: node cli/make-man.ts')
})

test('docs/reference/cli.md matches the help (node cli/make-reference.ts)', async () => {
  assert.equal(readFileSync(REFERENCE, 'utf8'), await cliReference(), 'stale: node cli/make-reference.ts')
})

test('completion offers commands, subcommands and options in the right places', async () => {
  const complete = await bashCompletion()
  assert.deepEqual(complete('ver'), ['verify'])
  assert.deepEqual(complete('verify', '--jw'), ['--jwks'])
  assert.deepEqual(complete('trust', 'a'), ['add'])
  assert.deepEqual(complete('admin', 'signing-key', 'rot'), ['rotate'])
  assert.deepEqual(complete('prove', '--jw'), [])
  assert.deepEqual(
    complete('serve', '--pk'),
    ['--pkcs11-module', '--pkcs11-token', '--pkcs11-pin-file'].toSorted(),
  )
  assert.deepEqual(complete(''), Object.keys(COMMANDS))
})

test('completion ignores options of other commands mentioned in the help', async () => {
  const complete = await bashCompletion()
  // Nothing is offered where a file is to be named: the shell then offers its own.
  for (const words of [
    ['verify', ''],
    ['submit', ''],
    ['trust', 'add', ''],
    ['verify', '--jwks', ''],
  ])
    assert.deepEqual(complete(...words), [], words.join(' '))
  assert.deepEqual(complete('trust', '--'), [
    '--issuer',
    '--json',
    '--max-delay',
    '--policy',
    '--tsa-roots',
    '--yes',
    '--help',
  ])
  assert.deepEqual(complete('trust', 'add', '--i'), ['--issuer'])
})

test('completion exists for zsh and fish; other shells are rejected', async () => {
  assert.match((await completion('zsh')).printed, /^#compdef kitseal\n[^]*--use-kit-keys/)
  assert.match((await completion('fish')).printed, /complete -c kitseal .* -l use-kit-keys/)
  assert.equal((await completion('powershell')).code, 2)
})

async function completion(shell: string): Promise<{ readonly code: number; readonly printed: string }> {
  let printed = ''
  const output = { write: (text: string) => (printed += text) }
  const code = await main(['completion', shell], { env: {}, stdout: output, stderr: output })
  return { code, printed }
}

async function bashCompletion(): Promise<(...words: readonly string[]) => readonly string[]> {
  const { printed } = await completion('bash')
  return (...words) => {
    const ask = `COMP_WORDS=(kitseal ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _kitseal; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = spawnSync('bash', ['-c', `${printed}\n${ask}`], { encoding: 'utf8', cwd: '/' })
    return stdout.split('\n').filter((line) => line !== '')
  }
}
