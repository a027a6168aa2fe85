import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { buildPages } from '../scripts/build-web.cjs'

test('pages are built once, compressed, and not rebuilt while nothing changes', async (t) => {
  const project = folder(t)
  await project.build()
  await project.build()
  assert.equal(project.builds(), 1)
  const page = project.read('web/dist/index.html')
  assert.match(page.toString(), /^<p>built for production/, 'whatever NODE_ENV is here')
  assert.deepEqual(brotliDecompressSync(project.read('web/dist/index.html.br')), page)
  assert.deepEqual(gunzipSync(project.read('web/dist/index.html.gz')), page)
  assert.deepEqual(project.leftovers(), ['dist'])
})

test('pages with quick compression are built again only for a build with the best one', async (t) => {
  const project = folder(t)
  await project.build({ quick: true })
  await project.build({ quick: true })
  assert.equal(project.builds(), 1)
  const page = project.read('web/dist/index.html')
  assert.deepEqual(brotliDecompressSync(project.read('web/dist/index.html.br')), page)
  await project.build()
  await project.build({ quick: true })
  assert.equal(project.builds(), 2)
})

for (const [what, change] of [
  ['changed', (root: string) => writeFileSync(path.join(root, 'web/src/page.tsx'), 'another page')],
  ['new', (root: string) => writeFileSync(path.join(root, 'kit/src/more.ts'), 'more')],
  ['gone', (root: string) => rmSync(path.join(root, 'client/src/client.ts'))],
  ['a new lock file', (root: string) => writeFileSync(path.join(root, 'package-lock.json'), '{"a":1}')],
] as const) {
  test(`what goes into the pages is ${what}: they are built again`, async (t) => {
    const project = folder(t)
    await project.build()
    change(project.root)
    await project.build()
    await project.build()
    assert.equal(project.builds(), 2)
  })
}

test('files that are not part of the pages trigger no build', async (t) => {
  const project = folder(t)
  await project.build()
  writeFileSync(path.join(project.root, 'web/test/page.test.ts'), 'another test')
  writeFileSync(path.join(project.root, 'kit/src/seal.test.ts'), 'another test')
  await project.build()
  assert.equal(project.builds(), 1)
})

test('a failed build reports the reason and keeps the existing pages', async (t) => {
  const project = folder(t)
  await project.build()
  writeFileSync(path.join(project.root, 'web/src/page.tsx'), 'BROKEN')
  await assert.rejects(project.build(), /building the web pages failed:\n.*the page is broken/s)
  assert.match(project.read('web/dist/index.html').toString(), /^<p>built/)
  assert.deepEqual(project.leftovers(), ['dist'])
})

test('a project without pages is not built', async (t) => {
  const project = folder(t)
  rmSync(path.join(project.root, 'web'), { recursive: true })
  await project.build()
  assert.equal(project.builds(), 0)
})

/** A project with a stand-in for Vite that logs its runs. */
function folder(t: TestContext) {
  const root = mkdtempSync(path.join(tmpdir(), 'kitseal-web-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const [name, text] of Object.entries({
    'web/vite.config.ts': '',
    'web/src/page.tsx': 'a page',
    'web/test/page.test.ts': 'a test',
    'kit/src/seal.ts': 'seal',
    'client/src/client.ts': 'client',
    'package-lock.json': '{}',
    'node_modules/vite/package.json': '{}',
    'node_modules/vite/bin/vite.js': VITE,
  })) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  const trace = path.join(root, 'builds')
  return {
    root,
    build: ({ quick = false } = {}) => buildPages(root, process.execPath, () => undefined, quick),
    builds: () => (existsSync(trace) ? readFileSync(trace, 'utf8').length : 0),
    read: (name: string) => readFileSync(path.join(root, name)),
    leftovers: () => readdirSync(path.join(root, 'web')).filter((name) => name.startsWith('dist')),
  }
}

const VITE = `
const fs = require('fs')
if (fs.readFileSync('src/page.tsx', 'utf8') === 'BROKEN') { console.error('the page is broken'); process.exit(1) }
const out = process.argv[process.argv.indexOf('--outDir') + 1]
fs.mkdirSync(out, { recursive: true })
fs.writeFileSync(out + '/index.html', ('<p>built for ' + process.env.NODE_ENV).padEnd(2000, ' '))
fs.appendFileSync('../builds', '.')
`
