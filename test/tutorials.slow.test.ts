// Runs the commands of each tutorial word by word, in a real shell, against a real service.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { root } from './architecture/project.ts'
import { startService, userEnvironment } from './docs/live-service.ts'
import { fencesOf } from './docs/markdown.ts'
import { exchangesOf, isAsShown, replay } from './docs/transcript.ts'

const PLACES = {
  // Its own folders may be in the way of what a tutorial creates.
  'in a checkout': readdirSync(root).filter((name) => name !== 'data' && !name.startsWith('my-')),
  'outside one': ['node_modules'],
}

test('the commands of the tutorials work as typed', async (t) => {
  const service = await startService(t, path.join(tempFolder(t), 'data'))
  assert.notEqual(service.apiKey, '')
  // Answers the questions of `kitseal login`, which needs a terminal otherwise.
  const login = ['login http://127.0.0.1:8080', `login ${service.url} --yes <<< ${service.apiKey}`] as const
  for (const page of readdirSync(path.join(root, 'docs/tutorials')))
    for (const [place, entries] of Object.entries(PLACES))
      await t.test(`${page}, ${place}`, async (run) => {
        const folder = tempFolder(run)
        for (const entry of entries) symlinkSync(path.join(root, entry), path.join(folder, entry))
        await runTutorial(run, page, folder, login)
      })
})

test('a folder that is already there is noticed', async (t) => {
  const folder = tempFolder(t)
  symlinkSync(path.join(root, 'examiner'), path.join(folder, 'evidence'))
  const [made] = await replay([{ command: 'mkdir evidence', output: '' }], {
    folder,
    env: shellEnvironment(t, folder),
  })
  assert.ok(!isAsShown('', made?.output ?? ''))
})

async function runTutorial(
  t: TestContext,
  page: string,
  folder: string,
  [from, to]: readonly [string, string],
): Promise<void> {
  const sessions = fencesOf(readFileSync(path.join(root, 'docs/tutorials', page), 'utf8')).filter(
    ({ info }) => info === 'console',
  )
  const shown = exchangesOf(sessions.map(({ body }) => body).join('')).map(({ command, output }) => ({
    command: command.replace(from, to),
    output,
  }))
  assert.ok(shown.length > 5)
  const printed = await replay(shown, { folder, env: shellEnvironment(t, folder) })
  for (const [index, { command, output }] of shown.entries()) {
    const real = printed[index]?.output ?? ''
    assert.ok(isAsShown(output, real), `$ ${command}\nexpected:\n${output}\nprinted:\n${real}`)
  }
}

/** `npx` takes a second to find what is in node_modules/.bin of the same folder. 1 runs the real one. */
function shellEnvironment(t: TestContext, home: string): Record<string, string | undefined> {
  const bin = tempFolder(t)
  writeFileSync(path.join(bin, 'npx'), '#!/bin/sh\nexec "node_modules/.bin/$@"\n', { mode: 0o755 })
  const { PATH, ...rest } = userEnvironment(home)
  return { ...rest, PATH: `${bin}${path.delimiter}${PATH}` }
}

function tempFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-tutorial-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}
