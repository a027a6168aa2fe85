import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { root } from './architecture/project.ts'

const read = (page: string): string => readFileSync(path.join(root, page), 'utf8')
const PAGES = ['SECURITY.md', 'docs/explanation/reliability.md']

const testsIn = (text: string): readonly string[] =>
  [...text.matchAll(/[\w./-]+\.(?:test|trial)\.ts/g)].map(([file]) => file)
const commandsIn = (text: string): readonly string[] =>
  [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)

test('every test and command named in the threat model and the reliability page exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> }
  for (const page of PAGES) {
    const text = read(page)
    assert.ok(testsIn(text).length > 5, page)
    assert.deepEqual(
      testsIn(text).filter((file) => !existsSync(path.join(root, file))),
      [],
      page,
    )
    assert.deepEqual(
      commandsIn(text).filter((name) => !Object.hasOwn(scripts, name)),
      [],
      page,
    )
  }
})

test('the threat model covers every attacker', () => {
  const headings = [...read('SECURITY.md').matchAll(/^### (.*)$/gm)].map(([, heading]) => heading)
  for (const attacker of [
    /anonymous/,
    /tenant, with/,
    /Another tenant/,
    /forger/,
    /backup/,
    /network/,
    /made of/,
    /scope/,
  ])
    assert.ok(
      headings.some((heading) => attacker.test(heading ?? '')),
      String(attacker),
    )
})
