import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import {
  leafBytes,
  LOG_PROOF_PATH,
  parseTlogProof,
  receiptLeaf,
  TIME_STAMP_PATH,
  utf8,
  vkey,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { keySetOf, makeKit, testSigner, zipBytes } from '../../kit/test/make-kit.ts'
import { addLogProof, type NoteSigner, proofOf, testLogKey, testWitness } from '../../kit/test/make-log.ts'
import { pem, root } from '../../test/forge/time/certificates.ts'
import { makeTimeStamp } from '../../test/forge/time/time-stamp.ts'
import { run as trust } from './commands/trust.ts'
import { run as verify } from './commands/verify.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-trust-'))
const store = join(folder, 'trust.json')
const at = (name: string): string => join(folder, name)
const { kid } = testSigner()
const witnesses = ['w1.example', 'w2.example', 'w3.example'].map(testWitness)
const TIME = Date.UTC(2026, 2, 4, 5, 6, 8) / 1000

let site: Server
let issuer: string
let log: NoteSigner
let other: NoteSigner
let published: string | undefined

before(async () => {
  site = createServer(({ url }, response) => {
    if (url === '/.well-known/jwks.json') response.end(JSON.stringify(keySetOf(testSigner())))
    else if (url === '/log/policy' && published !== undefined) response.end(published)
    else response.writeHead(404).end()
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  issuer = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  log = testLogKey(`${issuer.slice(7)}/log`)
  other = testLogKey('other.example/log')
  await writeKit('logged.zip', log, witnesses.slice(0, 2))
  await writeKit('unwitnessed.zip', log, [])
  await writeKit('elsewhere.zip', other, witnesses)
  await writeKit('unlogged.zip')
  writeFileSync(at('tsa.pem'), pem(root))
  writeFileSync(at('two.policy'), policyText('group g 2 w0 w1 w2\nquorum g\n'))
})
beforeEach(() => {
  rmSync(store, { force: true })
  published = policyText('group g 2 w0 w1 w2\nquorum g\n')
})
after(() => {
  site.close()
  rmSync(folder, { recursive: true })
})

function policyText(quorum: string, { key } = log): string {
  const named = witnesses.map((witness, index) => `witness w${index} ${vkey(witness.key)}\n`)
  return `log ${vkey(key)}\n${named.join('')}${quorum}`
}

/** Also writes the log proof beside the kit. */
async function writeKit(
  name: string,
  signer?: NoteSigner,
  cosigners: readonly NoteSigner[] = [],
): Promise<void> {
  const { sealed, contents, zip } = await makeKit({ 'a.txt': 'a' }, { issuer })
  if (signer === undefined) return writeFileSync(at(name), zip)
  const leaf = leafBytes(receiptLeaf(sealed.receipt, nodeHost.digest))
  const proof = proofOf(leaf, { index: 4, size: 9, log: signer, witnesses: cosigners, time: TIME })
  writeFileSync(at(`${name}.proof`), proof)
  const files = new Map(contents).set(LOG_PROOF_PATH, proof)
  writeFileSync(at(name), zipBytes(addLogProof(sealed, proof, nodeHost), files))
  const checkpoint = utf8(parseTlogProof(proof).checkpoint.text)
  const timeStamp = makeTimeStamp(checkpoint, { time: '20260304050609Z' })
  const stamped = addLogProof(sealed, proof, nodeHost, timeStamp)
  writeFileSync(at(`stamped-${name}`), zipBytes(stamped, files.set(TIME_STAMP_PATH, timeStamp)))
}

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

const logLine = ({ stdout }: Ran): string | undefined => /^log {6}(.*)$/m.exec(stdout)?.[1]

test('adding an issuer shows its keys, its log and what it names as witnesses, and says that it is trust on first use', async () => {
  const { exitCode, stdout, stderr } = await ran(trust, 'add', issuer, '--yes')
  assert.equal(exitCode, 0)
  assert.match(stderr, new RegExp(`^  key {7}${kid}$`, 'm'))
  assert.ok(stderr.includes(`  log key   ${vkey(log.key)}\n`))
  assert.ok(stderr.includes(`  witness   ${vkey(witnesses[0]!.key)} (not pinned)\n`))
  assert.match(stderr, /trust on first use/)
  assert.equal(stdout, `pinned ${kid} for ${issuer}\npinned the log ${vkey(log.key)} for ${issuer}\n`)
})

test('without a terminal, an issuer is not added without --yes', async () => {
  const { exitCode, stderr } = await ran(trust, 'add', issuer)
  assert.equal(exitCode, 2)
  assert.match(stderr, /nothing was pinned.*--yes/)
  assert.equal((await ran(trust, 'list')).stdout, '')
})

test('a pinned log is checked offline, but the witnesses that the issuer names are not required', async () => {
  await ran(trust, 'add', issuer, '--yes')
  const { exitCode, stdout } = await ran(verify, at('unwitnessed.zip'))
  assert.equal(exitCode, 0, stdout)
  assert.equal(
    logLine({ exitCode, stdout, stderr: '' }),
    `in the log of ${issuer}, entry 5 of 9; no witness has confirmed it`,
  )
})

test('a kit whose proof is from another log than the pinned one is FAIL', async () => {
  assert.equal((await ran(verify, at('elsewhere.zip'), '--issuer', issuer)).exitCode, 3)
  const { exitCode, stdout } = await ran(verify, at('elsewhere.zip'))
  assert.equal(exitCode, 3)
  assert.match(stdout, /log_unknown/)
  const given = await ran(verify, at('elsewhere.zip'), '--kid', kid)
  assert.equal(given.exitCode, 3, 'keys that are given do not replace the pinned log')
})

test('a kit without a log proof fails once the log is pinned, and passes with the proof from the issuer', async () => {
  await ran(trust, 'add', issuer, '--yes')
  const { exitCode, stdout } = await ran(verify, at('unlogged.zip'))
  assert.equal(exitCode, 3)
  assert.match(stdout, /log_proof_missing/)
  const late = await ran(verify, at('unlogged.zip'), '--log-proof', at('logged.zip.proof'))
  assert.equal(late.exitCode, 0, late.stdout)
  const wrong = await ran(verify, at('unlogged.zip'), '--log-proof', at('two.policy'))
  assert.equal(wrong.exitCode, 1)
  assert.match(wrong.stdout, /log_proof_malformed/)
})

test('a pinned policy asks for its witnesses, and --policy replaces it', async () => {
  const added = await ran(trust, 'add', issuer, '--policy', at('two.policy'), '--yes')
  assert.equal(added.exitCode, 0, added.stderr)
  assert.match(added.stderr, /^  quorum {4}2 of \(w0, w1, w2\)$/m)
  const logged = await ran(verify, at('logged.zip'))
  assert.equal(logged.exitCode, 0)
  assert.equal(
    logLine(logged),
    `in the log of ${issuer} since 2026-03-04 05:06:08 UTC, seen by 2 of 3 witnesses`,
  )
  assert.equal((await ran(verify, at('unwitnessed.zip'))).exitCode, 3)
  writeFileSync(at('none.policy'), policyText('quorum none\n'))
  assert.equal((await ran(verify, at('unwitnessed.zip'), '--policy', at('none.policy'))).exitCode, 0)
})

test('--json has what the log adds', async () => {
  await ran(trust, 'add', issuer, '--policy', at('two.policy'), '--yes')
  const { stdout } = await ran(verify, at('logged.zip'), '--json')
  assert.deepEqual((JSON.parse(stdout) as { log: unknown }).log, {
    text: `in the log of ${issuer} since 2026-03-04 05:06:08 UTC, seen by 2 of 3 witnesses`,
    text_message: {
      key: 'reason.since',
      args: {
        log: issuer,
        time: '2026-03-04 05:06:08 UTC',
        seen: { key: 'reason.seen', args: { cosigned: 2, total: 3 }, text: 'seen by 2 of 3 witnesses' },
      },
    },
    origin: log.key.name,
    index: 4,
    size: 9,
    since: '2026-03-04T05:06:08.000Z',
    witnesses: { cosigned: ['w0', 'w1'], total: 3 },
  })
})

test('a policy that names another log than the issuer publishes is not pinned', async () => {
  writeFileSync(at('other.policy'), policyText('quorum none\n', other))
  const { exitCode, stderr } = await ran(trust, 'add', issuer, '--policy', at('other.policy'), '--yes')
  assert.equal(exitCode, 2)
  assert.match(stderr, /publishes the log key .*, and the policy names/)
})

test('an issuer whose log has another key than the pinned one is not added', async () => {
  await ran(trust, 'add', issuer, '--yes')
  published = policyText('quorum none\n', other)
  const { exitCode, stderr } = await ran(trust, 'add', issuer, '--yes')
  assert.equal(exitCode, 2)
  assert.match(stderr, /The key of a log never changes/)
})

test('adding an issuer again keeps its policy', async () => {
  await ran(trust, 'add', issuer, '--policy', at('two.policy'), '--yes')
  await ran(trust, 'add', issuer, '--yes')
  await ran(verify, at('logged.zip'), '--issuer', issuer)
  assert.match((await ran(trust, 'list')).stdout, /log, with a policy, added/)
})

test('verify --issuer pins the log on first use, and says so', async () => {
  const { exitCode, stderr } = await ran(verify, at('logged.zip'), '--issuer', `${issuer}/`)
  assert.equal(exitCode, 0)
  assert.ok(stderr.includes(`Pinned the log of ${issuer}: ${vkey(log.key)}\n`))
  published = undefined
  assert.equal((await ran(verify, at('elsewhere.zip'), '--issuer', issuer)).exitCode, 3, 'the pin stays')
})

test('a log that cannot be read is not pinned by verify --issuer, and an issuer with it is not added', async () => {
  published = 'not a policy'
  const { exitCode, stderr } = await ran(verify, at('unlogged.zip'), '--issuer', issuer)
  assert.equal(exitCode, 0)
  assert.match(stderr, /was not pinned: .*is not a policy/)
  assert.equal((await ran(trust, 'add', issuer, '--yes')).exitCode, 2)
})

test('a key and a policy can be pinned without the network', async () => {
  const added = await ran(trust, 'add', kid, '--issuer', issuer, '--policy', at('two.policy'))
  assert.equal(added.exitCode, 0, added.stderr)
  assert.equal((await ran(verify, at('logged.zip'))).exitCode, 0)
  assert.equal((await ran(verify, at('unwitnessed.zip'))).exitCode, 3)
})

test('the list has the log, and removing the issuer removes everything of it', async () => {
  await ran(trust, 'add', issuer, '--policy', at('two.policy'), '--yes')
  const listed = await ran(trust, 'list')
  assert.match(listed.stdout, /log, with a policy, added/)
  assert.equal((await ran(trust, 'remove', issuer)).exitCode, 0)
  assert.equal((await ran(trust, 'list')).stdout, '')
})

test('a store of version 1 is read, and written as version 2 with everything in it', async () => {
  const pin = { kid, issuer, created_at: '2026-01-01T00:00:00.000Z' }
  writeFileSync(store, JSON.stringify({ trust_version: 1, pins: [pin] }))
  assert.equal((await ran(verify, at('elsewhere.zip'))).exitCode, 0, 'no log is pinned')
  await ran(trust, 'add', kid, '--issuer', 'https://other.example')
  const written = JSON.parse(readFileSync(store, 'utf8')) as { pins: unknown[] }
  assert.deepEqual(written, { trust_version: 2, pins: [pin, written.pins[1]], logs: [] })
})

test('the members for time-stamps are kept, and a newer or damaged store is not read', async () => {
  const entry = {
    issuer,
    vkey: vkey(log.key),
    created_at: '2026-01-01T00:00:00.000Z',
    tsa_roots: pem(root),
    max_delay_seconds: 3600,
  }
  writeFileSync(store, JSON.stringify({ trust_version: 2, pins: [], logs: [entry] }))
  await ran(trust, 'add', issuer, '--yes')
  const { logs } = JSON.parse(readFileSync(store, 'utf8')) as { logs: unknown[] }
  assert.deepEqual(logs, [entry])
  writeFileSync(store, JSON.stringify({ trust_version: 2, pins: [], logs: [{ ...entry, vkey: 'x' }] }))
  assert.match((await ran(verify, at('logged.zip'))).stderr, /is damaged/)
  writeFileSync(store, JSON.stringify({ trust_version: 3, pins: [] }))
  assert.match((await ran(verify, at('logged.zip'))).stderr, /newer version of kitseal/)
})

test('a pinned time-stamp authority must have stamped every kit of the issuer', async () => {
  const pinned = await ran(
    trust,
    'add',
    issuer,
    '--policy',
    at('two.policy'),
    '--tsa-roots',
    at('tsa.pem'),
    '--max-delay',
    '2h',
    '--yes',
  )
  assert.equal(pinned.exitCode, 0, pinned.stderr)
  assert.match(pinned.stdout, /^pinned the time-stamp authorities in .*tsa\.pem for http/m)
  const stamped = await ran(verify, at('stamped-logged.zip'))
  assert.equal(stamped.exitCode, 0, stamped.stdout)
  assert.match(
    stamped.stdout,
    /^time {5}existed before 2026-03-04 05:06:10 UTC \(time-stamp by Time authority, seen by 2 of 3 witnesses\)$/m,
  )
  const plain = await ran(verify, at('logged.zip'))
  assert.equal(plain.exitCode, 3)
  assert.match(plain.stdout, /time_stamp_missing/)
  const short = await ran(verify, at('stamped-logged.zip'), '--max-delay', '1s')
  assert.match(short.stdout, /time_out_of_bounds: .* more than 1 s before it was first seen/)
})

test('time-stamps are required for one verification, and mistakes are explained', async () => {
  await ran(trust, 'add', kid, '--issuer', issuer)
  assert.equal((await ran(verify, at('stamped-unwitnessed.zip'), '--tsa-roots', at('tsa.pem'))).exitCode, 0)
  assert.equal((await ran(verify, at('unlogged.zip'), '--tsa-roots', at('tsa.pem'))).exitCode, 3)
  for (const [args, problem] of [
    [['--tsa-roots', at('two.policy')], /is not a file of certificates: there is no certificate in PEM/],
    [['--tsa-roots', at('missing.pem')], /cannot read .*missing\.pem: no such file/],
    [['--max-delay', 'a day'], /--max-delay must be a duration such as 30d, 24h, 90m or 10s, not "a day"/],
    [
      ['--tsa-roots', at('tsa.pem'), '--log-proof', at('logged.zip.proof')],
      /cannot be combined with --log-proof/,
    ],
  ] as const) {
    const { exitCode, stderr } = await ran(verify, at('stamped-logged.zip'), ...args)
    assert.equal(exitCode, 2)
    assert.match(stderr, problem)
  }
})

test('a kit that is older than the compromise of its key is verified, with a note', async () => {
  const keySet = (since: string): string => {
    const revoked = { kid, revoked_at: '2026-06-01T00:00:00.000Z', compromised_since: since }
    writeFileSync(at('compromised.json'), JSON.stringify({ keys: [], revoked_keys: [revoked] }))
    return at('compromised.json')
  }
  const given = ['--jwks', keySet('2026-03-04T06:00:00.000Z'), '--tsa-roots', at('tsa.pem')]
  const older = await ran(verify, at('stamped-logged.zip'), ...given)
  assert.equal(older.exitCode, 0, older.stdout)
  assert.match(
    older.stdout,
    /^note {5}the key was compromised at 2026-03-04T06:00:00\.000Z, but this receipt is older$/m,
  )
  keySet('2026-03-04T05:06:10.000Z')
  const newer = await ran(verify, at('stamped-logged.zip'), ...given)
  assert.equal(newer.exitCode, 1)
  assert.match(newer.stdout, /Signing key revoked on 2026-06-01/)
})

test('with another log proof, the time-stamp in the kit does not count', async () => {
  await ran(trust, 'add', kid, '--issuer', issuer)
  const proof = at('stamped-logged.zip.proof')
  writeFileSync(proof, readFileSync(at('unwitnessed.zip.proof')))
  assert.equal((await ran(verify, at('stamped-logged.zip'), '--log-proof', proof)).exitCode, 0)
})
