import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { main } from '../../../cli/src/main.ts'
import { makeKit, testSigner } from '../../../kit/test/make-kit.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { until } from '../../kit/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-new-key-'))
const at = (...names: readonly string[]): string => join(folder, ...names)
const [week, fresh] = [at('week-old.json'), at('fresh.json')]
let service: TestService
let newKit = ''

async function run(store: string, ...args: readonly string[]) {
  let text = ''
  const output = { write: (part: string) => void (text += part) }
  const KITSEAL_API_KEY = service.service.firstApiKey ?? ''
  const env = { HOME: folder, KITSEAL_TRUST_STORE: store, KITSEAL_URL: service.base, KITSEAL_API_KEY }
  const code = await main(args, { env, stdout: output, stderr: output })
  return { code, text }
}

const submit = async (store: string, name: string, ...more: readonly string[]) => {
  writeFileSync(at(name), name)
  return run(store, 'submit', at(name), '--out', folder, ...more)
}
const kitIn = (text: string): string => /saved +(\S+)/.exec(text)?.[1] ?? assert.fail(text)

const FOLLOWED = /signs with a new key since \d{4}-\d\d-\d\d; its log, which you know, lists it/

before(async () => {
  service = await testService()
  const pinned = await run(week, 'trust', 'add', service.base, '--yes')
  assert.equal(pinned.code, 0, pinned.text)
  assert.equal((await submit(week, 'before.txt')).code, 0)
  const rotated = await run(week, 'admin', 'signing-key', 'rotate', '--data', service.dataFolder)
  assert.match(rotated.text, /Clients that pinned [^]*follow the new key [^]*Offline [^]*exit code 3/)
  const kid = /Active: +(\S+)/.exec(rotated.text)?.[1] ?? ''
  await until(async () => JSON.stringify((await service.call('/.well-known/jwks.json')).json).includes(kid))
  const made = await submit(fresh, 'after.txt')
  assert.equal(made.code, 0, made.text)
  newKit = kitIn(made.text)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

for (const command of ['submit', 'get', 'verify --issuer'])
  test(`${command} follows the new key of an issuer whose pinned log lists it, and then knows it offline`, async () => {
    const store = at(`${command}.json`)
    cpSync(week, store)
    const id = /kit_[\w-]+/.exec(newKit)?.[0] ?? ''
    rmSync(at('kits'), { recursive: true, force: true })
    const ran =
      command === 'submit'
        ? await submit(store, 'later.txt')
        : command === 'get'
          ? await run(store, 'get', id, '--out', at('again.zip'))
          : await run(store, 'verify', newKit, '--issuer', service.base)
    assert.equal(ran.code, 0, ran.text)
    assert.match(ran.text, FOLLOWED)
    const offline = await run(store, 'verify', newKit)
    assert.equal(offline.code, 0, offline.text)
  })

test('offline, a new key is not confirmed, and the reason names the log', async () => {
  for (const args of [[], ['--kid', 'AbRMUOHoS_NztJ3fk_UfIGjXN1rg-lCmOLE_YxWE4xo']]) {
    const { code, text } = await run(week, 'verify', newKit, ...args)
    assert.equal(code, 3, text)
    assert.match(text, /is new to you\. The log of http\S+, which you know, contains this receipt/)
  }
})

test('without a pinned log, or in no log, the signer is unknown: compare the keys; nothing is called forged', async () => {
  const noLog = at('no-log.json')
  writeFileSync(noLog, JSON.stringify({ ...JSON.parse(readFileSync(week, 'utf8')), logs: [] }))
  writeFileSync(
    at('unlogged.zip'),
    (await makeKit({ a: 'a' }, { issuer: service.base, signer: testSigner(66) })).zip,
  )
  const kid = /key +(\S+),/.exec((await run(fresh, 'verify', newKit)).text)?.[1] ?? ''
  for (const { code, text } of [
    await run(noLog, 'verify', newKit),
    await run(noLog, 'verify', at('unlogged.zip'), '--kid', kid),
    await run(week, 'verify', at('unlogged.zip')),
    await run(week, 'verify', at('unlogged.zip'), '--issuer', service.base),
  ]) {
    assert.equal(code, 1, text)
    assert.match(text, /Not signed by the issuer it names[^]*kitseal trust add/)
    assert.doesNotMatch(text, /forge/i)
  }
})
