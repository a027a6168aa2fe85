import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { keySetOf, makeKit, testSigner, writeFolder } from '../../kit/test/make-kit.ts'
import { main } from '../src/main.ts'

let folder = ''
const file = (name: string): string => join(folder, name)
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kitseal-several-'))
  const { zip, contents } = await makeKit({ 'report.txt': 'all is well\n' })
  writeFileSync(file('good.zip'), zip)
  writeFolder(file('unpacked'), contents)
  writeFolder(file('altered'), new Map(contents).set('receipt.json', new Uint8Array([123, 125])))
  const other = testSigner(66)
  const foreign = await makeKit({ 'report.txt': 'b\n' }, { signer: other, jwks: keySetOf(other) })
  writeFileSync(file('foreign.zip'), foreign.zip)
  writeFileSync(file('jwks.json'), JSON.stringify(keySetOf(testSigner())))
})
after(() => rmSync(folder, { recursive: true }))

async function verify(...args: readonly string[]) {
  let [out, err] = ['', '']
  const stdout = { write: (part: string) => void (out += part) }
  const stderr = { write: (part: string) => void (err += part) }
  const code = await main(['verify', ...args], { env: { HOME: folder }, stdout, stderr })
  return { code, out: out.replaceAll(`${folder}/`, ''), err }
}

test('several kits get one line each, a summary and the worst exit code', async () => {
  const jwks = ['--jwks', file('jwks.json')]
  const both = await verify(file('good.zip'), file('unpacked'), ...jwks)
  assert.equal(both.code, 0, both.err)
  assert.deepEqual(both.out.split('\n').slice(0, 4), [
    'PASS   good.zip: Verified',
    'PASS   unpacked: Verified',
    '',
    '2 kits: 2 verified.',
  ])
  const all = ['good.zip', 'altered', 'missing.zip', 'foreign.zip'].map(file)
  const mixed = await verify(...all, ...jwks)
  assert.equal(mixed.code, 1)
  assert.match(mixed.out, /^FAIL   altered: Altered since it was issued \(receipt_/m)
  assert.match(mixed.out, /^ERROR  missing\.zip: cannot read .*: no such file or folder$/m)
  assert.match(mixed.out, /^4 kits: 1 verified, 2 failed, 1 not readable\.$/m)
  const lines = (await verify(...all, ...jwks, '--json')).out.trim().split('\n')
  const results = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.deepEqual(
    results.map(({ path, status }) => [path, status]),
    [
      ['good.zip', 'PASS'],
      ['altered', 'FAIL'],
      ['missing.zip', 'ERROR'],
      ['foreign.zip', 'FAIL'],
    ],
  )
})

test('a FAIL counts more than an unreadable kit, which counts more than an unconfirmed sender', async () => {
  assert.equal((await verify(file('good.zip'), file('unpacked'))).code, 3)
  assert.equal((await verify(file('good.zip'), file('missing.zip'))).code, 2)
  assert.equal((await verify(...['missing.zip', 'altered', 'good.zip'].map(file))).code, 1)
})

test('the second argument is a proof unless both are ZIPs or folders', async () => {
  const { code, err } = await verify(file('jwks.json'), file('jwks.json'))
  assert.equal(code, 2)
  assert.match(err, /is a key set, not a proof/)
  const wrong = await verify(file('good.zip'), file('unpacked'), '--log-proof', file('jwks.json'))
  assert.deepEqual([wrong.code, wrong.err.split('\n')[0]], [2, 'kitseal verify: --log-proof is for one kit'])
})
