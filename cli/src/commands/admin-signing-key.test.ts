import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore, readConfig } from '@kitseal/server'
import { run } from './admin-signing-key.ts'

test('list shows every key with its state and no secrets', async () => {
  await using place = await openPlace()
  const [kid] = await place.kids()
  const listed = await place.kitseal('list')
  assert.equal(listed.exitCode, 0)
  assert.match(listed.stdout, /^KID +STATE +CREATED AT +RETIRED AT +REVOKED AT +PROVIDER\n/)
  assert.match(listed.stdout, new RegExp(`\n${kid} +active +\\d{4}-.*Z +- +- +file\n$`))
  const json = JSON.parse((await place.kitseal('list', '--json')).stdout)
  assert.deepEqual(Object.keys(json.data[0]).toSorted(), [
    'compromised_since',
    'created_at',
    'kid',
    'provider',
    'retired_at',
    'revoked_at',
    'state',
    'x',
  ])
})

test('rotate creates a new active key and retires the old one', async () => {
  await using place = await openPlace()
  const [old] = await place.kids()
  const rotated = await place.kitseal('rotate')
  assert.equal(rotated.exitCode, 0)
  assert.match(rotated.stdout, /^Active: {2}[\w-]{43}\n.*A running service switches within a second/)
  assert.match(rotated.stdout, new RegExp(`Retired: ${old}\n.*Kits it signed still verify`))
  const states = await place.states()
  assert.equal(states.get(old ?? ''), 'retired')
  assert.equal([...states.values()].filter((state) => state === 'active').length, 1)
})

test('the only active key cannot be retired without a replacement', async () => {
  await using place = await openPlace()
  const [kid = ''] = await place.kids()
  const refused = await place.kitseal('retire', kid)
  assert.equal(refused.exitCode, 1)
  assert.equal(refused.stdout, '')
  assert.match(refused.stderr, /is the only active key\. Nothing was changed\.\n.*signing-key rotate/)
  assert.equal((await place.states()).get(kid), 'active')
  const replaced = await place.kitseal('retire', kid, '--replace')
  assert.equal(replaced.exitCode, 0)
  assert.equal((await place.states()).get(kid), 'retired')
  assert.match((await place.kitseal('retire', kid)).stdout, /is already retired/)
})

test('revoke warns that kits of the key no longer verify, and replaces an active key', async () => {
  await using place = await openPlace()
  const [kid = ''] = await place.kids()
  const revoked = await place.kitseal('revoke', kid)
  assert.equal(revoked.exitCode, 0)
  assert.match(revoked.stdout, /The 0 kits it signed will FAIL verification\. This cannot be undone/)
  assert.match(revoked.stdout, /Active: {2}[\w-]{43}\n/)
  const states = await place.states()
  assert.equal(states.get(kid), 'revoked')
  assert.equal([...states.values()].filter((state) => state === 'active').length, 1)
  assert.match((await place.kitseal('retire', kid)).stderr, /is revoked\. This cannot be changed/)
  assert.match((await place.kitseal('revoke', kid)).stdout, /is already revoked/)
})

test('a compromised key is listed with its time, which moves only back', async () => {
  await using place = await openPlace()
  const [kid = ''] = await place.kids()
  const marked = await place.kitseal('compromise', kid, '--since', '2026-05-01')
  assert.equal(marked.exitCode, 0, marked.stderr)
  assert.match(marked.stdout, new RegExp(`^Compromised: ${kid}, since 2026-05-01T00:00:00.000Z\n`))
  assert.match(marked.stdout, /show to be older still verify, for readers with a policy/)
  assert.match(marked.stdout, /Active: {2}[\w-]{43}\n/)
  assert.equal((await place.states()).get(kid), 'revoked')
  assert.match((await place.kitseal('compromise', kid, '--since', '2026-05-01')).stdout, /already marked/)
  const earlier = await place.kitseal('compromise', kid, '--since', '2026-04-30T23:59:59Z', '--json')
  assert.equal(JSON.parse(earlier.stdout).compromised.compromised_since, '2026-04-30T23:59:59.000Z')
  const later = await place.kitseal('compromise', kid, '--since', '2026-05-02')
  assert.equal(later.exitCode, 1)
  assert.match(later.stderr, /since an earlier time\. Nothing was changed\./)
  assert.match((await place.kitseal('revoke', kid)).stdout, /is already revoked/)
})

test('a key that was revoked before cannot be marked as compromised, so that no kit verifies again', async () => {
  await using place = await openPlace()
  const [kid = ''] = await place.kids()
  await place.kitseal('revoke', kid)
  const refused = await place.kitseal('compromise', kid, '--since', '2026-05-01')
  assert.equal(refused.exitCode, 1)
  assert.match(refused.stderr, /is revoked\. This cannot be changed/)
})

test('an unknown key is reported', async () => {
  await using place = await openPlace()
  for (const subcommand of ['retire', 'revoke']) {
    const answer = await place.kitseal(subcommand, '-'.padEnd(43, 'A'))
    assert.equal(answer.exitCode, 1)
    assert.match(answer.stderr, /No signing key -A+\.\n/)
    const json = JSON.parse((await place.kitseal(subcommand, 'short', '--json')).stdout)
    assert.equal(json.refused, 'no_such_key')
  }
})

test('a usage error reports every problem and changes nothing', async () => {
  await using place = await openPlace()
  for (const [args, problem] of [
    [['burn'], /unknown command "burn"/],
    [['retire'], /KID is required/],
    [['rotate', 'extra'], /unexpected argument "extra"/],
    [['rotate', '--force'], /unknown option --force/],
    [['rotate', '--replace'], /unknown option --replace/],
    [['compromise', 'a'], /--since is required/],
    [['compromise', 'a', '--since', 'yesterday'], /--since must be a date or a time in UTC/],
    [['compromise', 'a', '--since', '2026-02-30'], /--since must be a date/],
    [['compromise', 'a', '--since', '2999-01-01'], /--since is in the future/],
    [['revoke', 'a', 'b', '--what'], /--what.*\n.*unexpected argument "b"/],
  ] as const) {
    const answer = await place.kitseal(...args)
    assert.equal(answer.exitCode, 2)
    assert.match(answer.stderr, problem)
  }
  assert.equal((await place.kids()).length, 1)
  const help = await place.kitseal('--help')
  assert.equal(help.exitCode, 0)
  assert.match(help.stdout, /^usage: kitseal admin signing-key list/)
})

test('no store is created in an empty folder', async () => {
  await using place = await openPlace()
  const folder = join(place.folder, 'elsewhere')
  const answer = await place.kitseal('list', '--data', folder)
  assert.equal(answer.exitCode, 2)
  assert.match(answer.stderr, /no kitseal data found in .*elsewhere/)
  await assert.rejects(stat(folder), { code: 'ENOENT' })
})

test('an invalid setting is reported before anything is opened', async () => {
  await using place = await openPlace()
  const answer = await place.kitsealWith({ KITSEAL_SIGNER: 'cloud' }, 'list')
  assert.equal(answer.exitCode, 2)
  assert.match(answer.stderr, /KITSEAL_SIGNER/)
})

test('a key that cannot be created changes nothing, and the error says why', async () => {
  await using place = await openPlace()
  const pkcs11 = { KITSEAL_SIGNER: 'pkcs11', KITSEAL_PKCS11_TOKEN: 't', KITSEAL_PKCS11_PIN_FILE: '/dev/null' }
  const answer = await place.kitsealWith(
    { ...pkcs11, KITSEAL_PKCS11_MODULE: join(place.folder, 'no.so') },
    'rotate',
  )
  assert.equal(answer.exitCode, 1)
  assert.match(answer.stderr, /Nothing was changed: .*is not a PKCS#11 library/)
  assert.equal((await place.kids()).length, 1)
})

test('a new key file is readable only by its owner', async () => {
  await using place = await openPlace()
  await place.kitseal('rotate')
  const keys = join(place.folder, 'data', 'keys')
  const files = await readdir(keys)
  assert.equal(files.length, 2)
  for (const file of files) assert.equal((await stat(join(keys, file))).mode & 0o777, 0o600)
})

async function openPlace() {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-admin-'))
  const data = join(folder, 'data')
  const config = readConfig({ KITSEAL_DATA: data })
  assert.ok(config.ok)
  await using made = await openStore(config.value)
  await made.signingKeys.ensureFirstKey()
  await chmod(folder, 0o700)

  const kitsealWith = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const said = { stdout: '', stderr: '' }
    const into = (name: keyof typeof said) => ({ write: (text: string) => ((said[name] += text), true) })
    const terminal = { env: { KITSEAL_DATA: data, ...env }, stdout: into('stdout'), stderr: into('stderr') }
    return { exitCode: await run(args, terminal), ...said }
  }
  const states = async () => {
    await using store = await openStore(config.value)
    return new Map((await store.signingKeys.list()).map((key) => [key.kid, key.state]))
  }
  return {
    folder,
    kitsealWith,
    kitseal: (...args: readonly string[]) => kitsealWith({}, ...args),
    states,
    kids: async () => [...(await states()).keys()],
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
