import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { keySetOf, makeKit, testSigner } from '../../kit/test/make-kit.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
let copy = ''

before(async () => {
  copy = mkdtempSync(join(tmpdir(), 'kitseal-bundle-'))
  for (const room of ['cli', 'kit', 'examiner', 'texts', 'package.json', 'tsconfig.base.json']) {
    cpSync(join(root, room), join(copy, room), {
      recursive: true,
      filter: (path) => !/node_modules|dist|\/test(?:\/|$)|\.test\./.test(path.slice(root.length)),
    })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  execFileSync(process.execPath, [join(copy, 'cli/build.ts')])
  const { zip } = await makeKit({ 'a.bin': new Uint8Array(60_000_000), 'b.bin': new Uint8Array(30_000_000) })
  writeFileSync(join(copy, 'kit.zip'), zip)
  writeFileSync(join(copy, 'jwks.json'), JSON.stringify(keySetOf(testSigner())))
})
after(() => rmSync(copy, { recursive: true }))

for (const [bundle, call] of Object.entries({
  'main.mjs': '({ main }) => main(process.argv.slice(1), process)',
  'verify.cjs': '({ default: { run } }) => run(process.argv.slice(2), process)',
})) {
  test(`${bundle} verifies a kit, on several threads, with no source beside it`, () => {
    const alone = join(copy, 'alone')
    cpSync(join(copy, 'cli/dist'), alone, { recursive: true })
    const script = `import('${alone}/${bundle}').then(${call}).then((code) => (process.exitCode = code))`
    const args = ['-e', script, 'verify', join(copy, 'kit.zip'), '--jwks', join(copy, 'jwks.json')]
    assert.match(execFileSync(process.execPath, args, { encoding: 'utf8', cwd: alone }), /^PASS /m)
  })
}

test('main.mjs checks evidence, with no source beside it', () => {
  const evidence = join(copy, 'evidence-to-check')
  mkdirSync(evidence)
  writeFileSync(join(evidence, 'users.csv'), 'name,role\nann,admin\n')
  const script = `import('${copy}/cli/dist/main.mjs').then(({ main }) => main(process.argv.slice(1), process)).then((code) => (process.exitCode = code))`
  const output = execFileSync(process.execPath, ['-e', script, 'check', evidence], { encoding: 'utf8' })
  assert.match(output, /1 file/)
})

test('the bundle is used while its source is unchanged, and not a moment longer', () => {
  const { isFresh, isServiceFresh, freshService } = createRequire(import.meta.url)(
    join(copy, 'cli/bin/bundle.cjs'),
  )
  assert.deepEqual([isFresh(), isServiceFresh()], [true, true])
  assert.equal(freshService(), undefined, 'the copy has no server')
  const source = join(copy, 'cli/src/terminal.ts')
  const content = readFileSync(source)
  writeFileSync(source, `${content}\n`)
  assert.equal(isFresh(), false)
  writeFileSync(source, content)
  utimesSync(source, new Date(), new Date())
  assert.equal(isFresh(), false)
  rmSync(source)
  assert.equal(isFresh(), false)
  writeFileSync(source, content)
})

test('who verifies looks at the source of `verify`, and at all of it', () => {
  execFileSync(process.execPath, [join(copy, 'cli/build.ts')])
  const { isFresh } = createRequire(import.meta.url)(join(copy, 'cli/bin/bundle.cjs'))
  const touch = (name: string): void => utimesSync(join(copy, name), new Date(), new Date())
  touch('cli/src/commands/seal.ts')
  assert.deepEqual([isFresh('verify'), isFresh('seal')], [true, false])
  for (const name of ['kit/src/encoding/zip-content.ts', 'kit/node/hash-thread.ts']) {
    execFileSync(process.execPath, [join(copy, 'cli/build.ts')])
    assert.equal(isFresh('verify'), true)
    touch(name)
    assert.equal(isFresh('verify'), false, name)
  }
})
