import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { projectOnDisk, root } from './architecture/project.ts'
import { brokenLinks, foldersWithoutRow, foreignNames, unknownCommands } from './docs/doc-rules.ts'

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
    '`kitseal share revoke S --json`, `kitseal run --name a -- x --fast`, kitseal says, `kitseal erasure v1`'
  assert.equal(unknownCommands({ 'a.md': sample, 'b.md': right }, reference).length, 4)
})

test('no file contains a machine path or a package registry, or installs a package of the project by name', () => {
  const others = globSync(
    ['{.github,deploy,python,examiner}/**/*.{yaml,yml,sh,py,toml,html}', 'action.yml'],
    {
      cwd: root,
      exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name),
    },
  )
  const texts = Object.fromEntries(others.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]))
  assert.ok(others.length > 20)
  assert.deepEqual(foreignNames({ ...pages, ...projectOnDisk().texts, ...texts }), [])
})

test('a machine path, a registry or an installation by name is found', () => {
  const paths = ['work', 'root', 'home'].map((folder) => `see /${folder}/me/notes`)
  const registry = ['registry', 'npmjs', 'org'].join('.')
  const name = ['kit', 'seal'].join('')
  const byName = [
    `npm i -g ${name}@1.0.0`,
    `npx --yes ${name} verify`,
    `pip install ${name}`,
    `uses: ${name}/x@v1`,
  ]
  for (const text of [...paths, `from https://${registry}/x`, ...byName])
    assert.equal(foreignNames({ 'README.md': text }).length, 1, text)
  const good = `server/src/work/lease.ts, ./home/x, ~/.cache, npx ${name} check, npm i ./${name}-1.0.0.tgz`
  assert.deepEqual(foreignNames({ 'README.md': good }), [])
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
