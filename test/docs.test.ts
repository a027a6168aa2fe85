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
  longDecisions,
  misnamedDecisions,
  twiceNumbered,
  unheldDecisions,
  unknownCommands,
  unlinkedDecisions,
  wrongWeights,
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

test('every decision names tests that exist', () => {
  assert.deepEqual(unheldDecisions(pages, exists), [])
  const sample = {
    'docs/decisions/0001-a.md': '# A\n\nBecause.',
    'docs/decisions/0002-b.md': '# B\n\nHeld by `test/gone.test.ts`.',
  }
  assert.equal(unheldDecisions(sample, () => false).length, 2)
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

test('a decision is at most half a page', () => {
  assert.deepEqual(longDecisions(pages), [])
  assert.equal(longDecisions({ 'docs/decisions/0001-a.md': 'why '.repeat(301) }).length, 1)
})

test('no two decisions share a number', () => {
  assert.deepEqual(twiceNumbered(pages), [])
  assert.deepEqual(twiceNumbered({ 'docs/decisions/0001-a.md': '', 'docs/decisions/0001-b.md': '' }), [
    '0001',
  ])
})

test('the number, title, file name and index entry of each decision agree', () => {
  assert.deepEqual(misnamedDecisions(pages), [])
  const index = '- [0001](0001-a-b.md) A, b\n- [0003](0003-c.md) C\n- [0003](0003-c.md) C\n'
  const caught = misnamedDecisions({
    'docs/decisions/README.md': index,
    'docs/decisions/0001-a-b.md': '# 0001 A, b\n',
    'docs/decisions/0002-b.md': '# 0002 C\n',
    'docs/decisions/0003-c.md': '# 0003 C\n',
    'docs/decisions/0004-d.md': '# 0004 D\n',
  })
  assert.deepEqual(
    caught.map((problem) => problem.slice(0, 19)),
    ['docs/decisions/0002', 'docs/decisions/0003', 'docs/decisions/0004'],
  )
})

test('the code that a decision governs refers to it', () => {
  const sources = Object.entries(projectOnDisk().texts).filter(([file]) => !file.startsWith('test/docs'))
  assert.deepEqual(unlinkedDecisions(pages, Object.fromEntries(sources)), [])
  const sample = { 'docs/decisions/0001-a.md': '', 'docs/decisions/0002-b.md': '' }
  const caught = unlinkedDecisions(sample, { 'a.ts': '// docs/decisions/0001\n// docs/decisions/0003' })
  assert.deepEqual(caught, [
    'no source file refers to docs/decisions/0002',
    'a.ts: there is no decision 0003',
  ])
})

test('the diagram in ARCHITECTURE.md shows every room with its weight', () => {
  const rooms = 'kit client evidence binder server cli web spec bench trials scripts test'.split(' ')
  const lines = Object.fromEntries(rooms.map((room) => [room, sourceLines(room)]))
  assert.deepEqual(wrongWeights(pages['ARCHITECTURE.md'] ?? '', lines), [])
  assert.equal(wrongWeights('kit/ 1.0k web/ 2.0k', { kit: 1100, web: 4000, cli: 500 }).length, 2)
})

function sourceLines(room: string): number {
  // Translated texts are weighed once, in English.
  const skipped = /(^|\/)(node_modules|dist|test|vectors|fixtures|de|fr|es|pt-BR|ja)$/
  const files = globSync('**/*.{ts,tsx,cjs,css}', {
    cwd: path.join(root, room),
    exclude: (name) => skipped.test(name),
  })
  return files
    .filter((file) => !/\.(test|trial)\.tsx?$|(^|\/)(de|fr|es|pt-BR|ja)\.ts$/.test(file))
    .map((file) => readFileSync(path.join(root, room, file), 'utf8').split('\n').length - 1)
    .reduce((sum, count) => sum + count, 0)
}

test('docs, sources and tests avoid unclear phrases', () => {
  const files = globSync(
    [
      'deploy/**/*.{yaml,json,conf,service}',
      '{bench,binder,cli,client,evidence,kit,scripts,server,spec,trials,web}/**/*.{ts,tsx,cjs}',
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
