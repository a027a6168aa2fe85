import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import type { PublishedJwks } from '@kitseal/kit/internal'
import { keySetOf, makeKit, testSigner } from '../../kit/test/make-kit.ts'
import { run as trust } from './commands/trust.ts'
import { run as verify } from './commands/verify.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-pin-'))
const kit = join(folder, 'kit.zip')
const store = join(folder, 'trust.json')
const first = testSigner()
const second = testSigner(2)
const [firstKey, secondKey] = [first, second].map((signer) => keySetOf(signer).keys[0]!) as [Key, Key]
type Key = PublishedJwks['keys'][number]

let site: Server
let issuer: string
let published: PublishedJwks

before(async () => {
  site = createServer(({ url }, response) => {
    if (url === '/.well-known/jwks.json') response.end(JSON.stringify(published))
    else response.writeHead(404).end()
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  issuer = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  writeFileSync(kit, (await makeKit({ 'a.txt': 'a' }, { issuer })).zip)
})
beforeEach(() => {
  rmSync(store, { force: true })
  published = { keys: [firstKey], revoked_keys: [] }
})
after(() => {
  site.close()
  rmSync(folder, { recursive: true })
})

interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

async function ran(command: typeof verify, ...args: readonly string[]): Promise<Ran> {
  const written = { stdout: '', stderr: '' }
  const output = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) })
  const terminal = {
    env: { KITSEAL_TRUST_STORE: store },
    stdout: output('stdout'),
    stderr: output('stderr'),
  }
  return { exitCode: await command(args, terminal), ...written }
}

const verifyKit = (): Promise<Ran> => ran(verify, kit, '--issuer', issuer)
const pinnedKids = async (): Promise<readonly string[]> =>
  (JSON.parse((await ran(trust, 'list', '--json')).stdout) as { data: { kid: string }[] }).data.map(
    ({ kid }) => kid,
  )

test('the first use of an issuer is said to be the first use, and pins its keys', async () => {
  const { exitCode, stderr } = await verifyKit()
  assert.equal(exitCode, 0)
  assert.equal(
    stderr,
    `First use of ${issuer}: pinned its 1 key. Check that this is the issuer's real address.\n`,
  )
  assert.deepEqual(await pinnedKids(), [first.kid])
  const offline = await ran(verify, kit)
  assert.equal(offline.exitCode, 0, 'the pin verifies later kits without the network')
})

test('with unchanged keys nothing is said', async () => {
  await verifyKit()
  assert.deepEqual({ ...(await verifyKit()), stdout: '' }, { exitCode: 0, stdout: '', stderr: '' })
})

test('a key that the issuer added is pinned and named', async () => {
  await verifyKit()
  published = { keys: [firstKey, secondKey], revoked_keys: [] }
  const { exitCode, stderr } = await verifyKit()
  assert.equal(exitCode, 0)
  assert.equal(stderr, `Pinned a new key of ${issuer}: ${second.kid}\n`)
  assert.deepEqual(await pinnedKids(), [first.kid, second.kid])
})

test('a pinned key that vanished without being revoked stops the check, and the pins stay', async () => {
  await verifyKit()
  published = { keys: [secondKey], revoked_keys: [] }
  const { exitCode, stdout, stderr } = await verifyKit()
  assert.equal(exitCode, 2)
  assert.equal(stdout, '')
  assert.match(stderr, new RegExp(`no longer publishes the key ${first.kid} that you pinned`))
  assert.deepEqual(await pinnedKids(), [first.kid])
})

for (const [what, keys] of [
  ['another key', [secondKey]],
  ['no key left', []],
  ['the revoked key still listed', [firstKey]],
] as const) {
  test(`a kit signed with a pinned key that was revoked is FAIL, with ${what}`, async () => {
    await verifyKit()
    published = { keys, revoked_keys: [{ kid: first.kid, revoked_at: '2026-05-05T12:00:00.000Z' }] }
    const { exitCode, stdout, stderr } = await verifyKit()
    assert.equal(exitCode, 1)
    assert.match(stdout, /^FAIL +Signing key revoked on 2026-05-05$/m)
    assert.match(stderr, new RegExp(`revoked the key ${first.kid}, so it is no longer pinned`))
    assert.ok(!(await pinnedKids()).includes(first.kid))
  })
}

test('an issuer whose keys are all revoked cannot be pinned', async () => {
  published = { keys: [firstKey], revoked_keys: [{ kid: first.kid, revoked_at: '2026-05-05T12:00:00.000Z' }] }
  const { exitCode, stderr } = await verifyKit()
  assert.equal(exitCode, 1)
  assert.match(stderr, /nothing was pinned, because all its keys are revoked/)
  const added = await ran(trust, 'add', `${issuer}/.well-known/jwks.json`)
  assert.equal(added.exitCode, 2)
  assert.match(added.stderr, /all keys are revoked/)
  assert.deepEqual(await pinnedKids(), [])
})

test('a kit that names another issuer is FAIL, although its key is published', async () => {
  const other = join(folder, 'other.zip')
  writeFileSync(other, (await makeKit({ 'a.txt': 'a' }, { issuer: 'https://other.example' })).zip)
  const { exitCode, stdout } = await ran(verify, other, '--issuer', issuer)
  assert.equal(exitCode, 1)
  assert.match(stdout, /^FAIL +Not signed by the issuer it names$/m)
})
