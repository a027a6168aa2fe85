// Runs the commands of the README in a real shell against a real service.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { root } from './architecture/project.ts'
import { startService, userEnvironment } from './docs/live-service.ts'
import { fencesOf } from './docs/markdown.ts'
import { exchangesOf, isAsShown, replay } from './docs/transcript.ts'

const readme = readFileSync(path.join(root, 'README.md'), 'utf8')

test('every command in the README prints what the README shows', async (t) => {
  const folder = scratchFolder(t)
  const { url, apiKey } = await startService(t, path.join(folder, 'data'))
  // npx looks for the command in the folder it is called from.
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  const sessions = fencesOf(readme).filter(({ info }) => info === 'console')
  const shown = exchangesOf(sessions.map(({ body }) => body).join('')).map(({ command, output }) => {
    // Answers the questions of `kitseal login`, which needs a terminal otherwise.
    const login = `login ${url} --yes <<< ${apiKey}`
    return { command: command.replace('login http://127.0.0.1:8080', login), output }
  })
  const printed = await replay(shown, { folder, env: userEnvironment(folder) })
  assert.ok(shown.length > 5)
  for (const [index, { command, output }] of shown.entries()) {
    const real = printed[index]?.output ?? ''
    assert.ok(isAsShown(output, real), `$ ${command}\nshown:\n${output}\nprinted:\n${real}`)
  }
})

test('different output is caught', async (t) => {
  const shown = exchangesOf(
    '$ echo one \\\n>   two\none two\n$ (exit 3) || echo "exit $?"\n…exit 4\n$ true\n',
  )
  const printed = await replay(shown, { folder: scratchFolder(t), env: process.env })
  const asShown = shown.map(({ output }, index) => isAsShown(output, printed[index]?.output ?? '?'))
  assert.deepEqual(asShown, [true, false, true])
})

test('a line with only … matches any number of lines, but no part of a line', () => {
  const printed = ['a\nb', 'a\nx\ny\nb', 'a\n\nb', 'ab', 'a\nxb', 'a\nx']
  const asShown = printed.map((each) => isAsShown('a\n…\nb', each))
  assert.deepEqual(asShown, [true, true, true, false, false, false])
})

function scratchFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-readme-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}
