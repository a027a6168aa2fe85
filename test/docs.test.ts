import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { projectOnDisk, root } from './architecture/project.ts'
import {
  brokenLinks,
  countWords,
  foldersWithoutRow,
  foreignNames,
  unknownCommands,
} from './docs/doc-rules.ts'
import { unclearPhrases } from './docs/voice.ts'

const pages = Object.fromEntries(
  globSync('**/*.md', { cwd: root, exclude: (name) => /(^|\/)(node_modules|vectors|data|dist)$/.test(name) })
    .toSorted()
    .map((page) => [page, readFileSync(path.join(root, page), 'utf8')]),
)
const readme = pages['README.md'] ?? ''
const exists = (file: string): boolean => existsSync(path.join(root, file))

test('every link in the docs works', () => {
  assert.deepEqual(brokenLinks(pages, exists), [])
})

test('a link to a missing file or heading is found', () => {
  const sample = {
    'README.md': '# Title\n[a](docs/gone.md) [b](#nowhere) [c](docs/b.md#b-2) [ok](#title)',
    'docs/b.md': '# B 1',
  }
  const caught = brokenLinks(sample, (file) => file in sample)
  assert.equal(caught.length, 3, caught.join('\n'))
})

test('every command and option in the docs is in the reference of the command line', () => {
  const reference = pages['docs/reference/cli.md'] ?? ''
  const guides = Object.entries(pages).filter(([page]) => !/decisions|CHANGELOG/.test(page))
  assert.deepEqual(unknownCommands(Object.fromEntries(guides), reference), [])
  const sample =
    '`kitseal gone`, `kitseal share end S`, `kitseal admin scrub --fast`\n```sh\nnpx kitseal verify kit.zip --key a\n```\n'
  const right =
    '`kitseal share log S --json`, `kitseal run --name a -- x --fast`, kitseal says, `kitseal erasure v1`'
  assert.equal(unknownCommands({ 'a.md': sample, 'b.md': right }, reference).length, 4)
})

test('no file contains a machine path or a package registry', () => {
  assert.deepEqual(foreignNames({ ...pages, ...projectOnDisk().texts }), [])
})

test('a machine path or a registry is found', () => {
  const paths = ['work', 'root', 'home'].map((folder) => `see /${folder}/me/notes`)
  const registry = ['registry', 'npmjs', 'org'].join('.')
  for (const text of [...paths, `from https://${registry}/x`]) {
    assert.equal(foreignNames({ 'README.md': text }).length >= 1, true, text)
  }
  assert.deepEqual(foreignNames({ 'README.md': 'server/src/work/lease.ts, ./home/x, ~/.cache' }), [])
})

test('the table of CONTRIBUTING.md names every folder', () => {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$|data$|dist$|coverage$)/.test(entry.name))
    .map(({ name }) => name)
  assert.deepEqual(foldersWithoutRow(pages['CONTRIBUTING.md'] ?? '', folders), [])
  assert.deepEqual(foldersWithoutRow('| `kit/` | the format |', ['kit', 'cli']), ['cli'])
})

test('the README shows the boundary', () => {
  assert.ok(
    readme.includes(
      'Integrity and issuance evidence only. Not audit, certification, or compliance guarantee.',
    ),
  )
})

test('the documentation has at most 30,000 words, without code blocks and decisions', () => {
  const guides = Object.entries(pages).filter(([page]) => /^docs\/(?!decisions\/)/.test(page))
  assert.ok(guides.length > 40)
  const words = guides.reduce((sum, [, text]) => sum + countWords(text), 0)
  assert.ok(words <= 30_000, `${words} words: say each thing once, and link`)
  assert.equal(
    countWords('# Two words\n\n| a | b |\n| --- | --- |\n\n```sh\nnpm ci\n```\n\nand `npm ci`.\n'),
    7,
  )
})

test('docs, sources and tests avoid unclear phrases', () => {
  const files = globSync(
    [
      'deploy/**/*.{yaml,json,conf,service}',
      '{bench,binder,cli,client,examiner,kit,scripts,server,spec,trials,web}/**/*.{ts,tsx,cjs}',
      'test/architecture/*.ts',
    ],
    { cwd: root, exclude: (name) => /(^|\/)(node_modules|dist|vectors)$/.test(name) },
  )
  const texts = Object.fromEntries(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]))
  const checked = Object.entries(pages).filter(([page]) => /^(docs|spec)\/|^[A-Z]+\.md$/.test(page))
  assert.ok(checked.length > 60 && files.length > 500)
  assert.deepEqual(unclearPhrases({ ...Object.fromEntries(checked), ...texts }), [])
  assert.deepEqual(unclearPhrases({ 'a.md': 'Nothing stands\nagainst it.', 'b.md': 'No problems found.' }), [
    'a.md: "stands against"',
  ])
})
