// Runs the commands of each tutorial in a real shell against a real service.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { root } from './architecture/project.ts'
import { startService, userEnvironment } from './docs/live-service.ts'
import { fencesOf } from './docs/markdown.ts'
import { exchangesOf, isAsShown, replay } from './docs/transcript.ts'

test('the commands of "Your first kit" work as typed', async (t) => {
  const folder = tempFolder(t)
  const { url, apiKey } = await startService(t, path.join(folder, 'data'))
  assert.notEqual(apiKey, '')
  await runTutorial('docs/tutorials/first-kit.md', folder, {
    // Answers the questions of `kitseal login`, which needs a terminal otherwise.
    replace: ['login http://127.0.0.1:8080', `login ${url} --yes <<< ${apiKey}`],
    env: {},
  })
})

test('the commands of "Your first verification" work as typed, offline', async (t) => {
  const folder = tempFolder(t)
  cpSync(path.join(root, 'spec/sample'), path.join(folder, 'spec/sample'), { recursive: true })
  await runTutorial('docs/tutorials/first-verification.md', folder, { replace: ['', ''], env: {} })
})

async function runTutorial(
  page: string,
  folder: string,
  { replace: [from, to], env }: { replace: readonly [string, string]; env: Readonly<Record<string, string>> },
): Promise<void> {
  const sessions = fencesOf(readFileSync(path.join(root, page), 'utf8')).filter(
    ({ info }) => info === 'console',
  )
  const shown = exchangesOf(sessions.map(({ body }) => body).join('')).map(({ command, output }) => ({
    command: command.replace(from, to),
    output,
  }))
  assert.ok(shown.length > 5)
  const printed = await replay(shown, { folder, env: { ...userEnvironment(folder), ...env } })
  for (const [index, { command, output }] of shown.entries()) {
    const real = printed[index]?.output ?? ''
    assert.ok(isAsShown(output, real), `$ ${command}\nexpected:\n${output}\nprinted:\n${real}`)
  }
}

function tempFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-tutorial-'))
  t.after(() => rmSync(folder, { recursive: true }))
  // npx looks for the command in the folder it is called from.
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  return folder
}
