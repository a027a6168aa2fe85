import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.dirname(import.meta.dirname)
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

/** PEP 440 writes `1.0.0-rc.1` as `1.0.0rc1`. */
const pythonVersion = version.replace(/-rc\./, 'rc')

test('every package, the Python package, the manual page and the changelog have the version of the project', () => {
  for (const file of globSync('*/package.json', { cwd: root }))
    for (const [, found] of read(file).matchAll(/"(?:version|@kitseal\/\w+)": "([^"]+)"/g))
      assert.equal(found, version, file)
  assert.match(read('python/kitseal/__init__.py'), new RegExp(`^__version__ = "${pythonVersion}"$`, 'm'))
  assert.ok(read('cli/man/kitseal.1').includes(`"kitseal ${version}"`))
  assert.equal(/^## (.+)$/m.exec(read('CHANGELOG.md'))?.[1], version)
})

test('the docs and the files to deploy name the files of this version', () => {
  const named = globSync(['**/*.md', 'deploy/**/*'], {
    cwd: root,
    exclude: (name) => /(^|\/)(node_modules|dist|decisions|vectors)$/.test(name),
  })
    .filter((file) => /\.\w+$|file$/.test(file))
    .flatMap((file) =>
      [
        ...read(file).matchAll(
          /\bkitseal(?:-kit|-client)?[-:](\d+\.\d+\.\d+[\w.-]*?)(?=-py3|\.tgz|[\s`'")]|$)/gm,
        ),
      ].map(([, found]) => [file, found]),
    )
  assert.ok(named.length > 5)
  assert.deepEqual(
    named.filter(([, found]) => found !== version && found !== pythonVersion),
    [],
  )
})
