import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type TestService, testService } from '../../test/kit/service.ts'
import { webhookReceiver } from '../../test/kit/webhook-receiver.ts'
import { workspaceClient } from '../../test/kit/workspace.ts'
import { main } from '../src/main.ts'

let service: TestService
let key = ''
before(async () => {
  service = await testService({ KITSEAL_WEBHOOK_ALLOW: '127.0.0.1' })
  key = (await workspaceClient(service)).key
})
after(() => service[Symbol.asyncDispose]())

async function run(args: readonly string[], more: { readonly key?: string; readonly stdin?: string } = {}) {
  let [out, err] = ['', '']
  const stdout = { write: (part: string | Uint8Array) => void (out += Buffer.from(part as string)) }
  const stderr = { write: (part: string) => void (err += part) }
  const env = { HOME: service.dataFolder, KITSEAL_URL: service.base, KITSEAL_API_KEY: more.key ?? key }
  const stdin = more.stdin === undefined ? undefined : [Buffer.from(more.stdin)]
  const terminal = { env, stdout, stderr, ...(stdin && { stdin }) }
  return { code: await main(args, terminal), out: out.trim(), err }
}

test('whoami names service, workspace, key, scopes and expiry; a key that the service does not know is refused', async () => {
  const { code, out } = await run(['whoami'])
  assert.equal(code, 0)
  assert.match(out, new RegExp(`^service +${service.base}, API key from KITSEAL_API_KEY\nworkspace +ws_`))
  assert.match(out, /\nkey +key_\S+.*\nmay +submit, read, requests, shares, admin\nexpires +never\nplan +/)
  assert.equal((await run(['whoami'], { key: 'ks_none' })).code, 4)
})

test('api sends method, path, headers and body, and prints JSON or the file; a secret as a header is refused', async () => {
  const body = { profile: 'board', title: 'Board', description: 'Each meeting.', items: [] }
  const file = join(service.dataFolder, 'profile.json')
  writeFileSync(file, JSON.stringify(body))
  const header = ['--header', 'Idempotency-Key: 42']
  for (let times = 0; times < 2; times++) {
    const made = await run(['api', 'post', '/v1/profiles', '--body', `@${file}`, ...header])
    assert.equal(made.code, 0, made.err)
    assert.equal((JSON.parse(made.out) as { version: number }).version, 1)
  }
  const changed = JSON.stringify({ ...body, title: 'Changed' })
  assert.match(
    (await run(['api', 'PUT', '/v1/profiles/board', '--body', '-'], { stdin: changed })).out,
    /Changed/,
  )
  assert.equal((await run(['api', 'DELETE', '/v1/profiles/board'])).code, 0)
  const gone = await run(['api', 'GET', '/v1/profiles/board'])
  assert.deepEqual([gone.code, gone.out], [4, ''])
  assert.match(gone.err, /profile_not_found/)
  assert.match((await run(['api', 'GET', '/verify/kitseal-verify.py'])).out, /^#!\/usr\/bin\/env python3/)
  for (const args of [
    ['FETCH', '/v1/me'],
    ['GET', 'https://elsewhere.example/v1/me'],
    ['GET', '@elsewhere.example/'],
    ['GET', '/v1/me', '--header', 'x-api-key: ks_secret'],
    ['GET', '/v1/me', '--header', 'no colon'],
  ])
    assert.equal((await run(['api', ...args])).code, 2, args.join(' '))
})

test('key create prints a secret that works, with the scopes that were asked for; remove revokes it', async () => {
  const made = await run(['key', 'create', '--label', 'nightly', '--scope', 'read', '--expires-days', '9'])
  assert.match(made.out, /^ks_\S+$/)
  const id = /key_[\w-]+/.exec(made.err)?.[0] ?? ''
  assert.match((await run(['whoami'], { key: made.out })).out, /may +read\n/)
  assert.match((await run(['key', 'list'])).out, new RegExp(`${id}  ending .*nightly`))
  const rotated = await run(['key', 'rotate', id, '--grace-hours', '0'])
  assert.match(rotated.out, /^ks_\S+$/)
  assert.equal((await run(['whoami'], { key: made.out })).code, 4)
  assert.equal((await run(['key', 'remove', /key_[\w-]+/.exec(rotated.err)?.[0] ?? ''])).code, 0)
  assert.equal((await run(['whoami'], { key: rotated.out })).code, 4)
  assert.match((await run(['key', 'create', '--label', 'x', '--scope', 'all'])).err, /is not a scope/)
  assert.match((await run(['key', 'create'])).err, /--label is missing/)
})

test('webhook create prints the secret once; ping, log, disable, enable, rotate, replay and remove follow it', async () => {
  await using target = await webhookReceiver()
  const made = await run(['webhook', 'create', target.url, '--type', 'submission.passed'])
  assert.match(made.out, /^whsec_/, made.err)
  const id = /whk_[\w-]+/.exec(made.err)?.[0] ?? ''
  assert.match((await run(['webhook', 'list'])).out, new RegExp(`${id}  enabled .*submission.passed`))
  assert.match((await run(['webhook', 'ping', id])).out, /delivered, status 204$/)
  assert.match((await run(['webhook', 'log', id])).out, /delivered, status 204/)
  assert.match((await run(['webhook', 'disable', id])).out, /  disabled/)
  assert.match((await run(['webhook', 'enable', id])).out, /  enabled/)
  const rotated = await run(['webhook', 'rotate', id, '--grace-hours', '1'])
  assert.match(rotated.out, /^whsec_/)
  assert.notEqual(rotated.out, made.out)
  assert.match((await run(['webhook', 'replay', id, '--after', '0'])).out, /delivered up to \d/)
  assert.match((await run(['webhook', 'replay', id])).err, /--after is missing/)
  assert.equal((await run(['webhook', 'remove', id])).code, 0)
  assert.equal((await run(['webhook', 'show', id])).code, 4)
})

test('federation create takes claims that must be equal or begin so; show and remove follow it', async () => {
  const named = ['--label', 'CI', '--issuer', 'https://ci.example']
  const made = await run([
    'federation',
    'create',
    ...named,
    '--claim',
    'sub=a=b',
    '--claim',
    'ref=refs/heads/*',
  ])
  assert.equal(made.code, 0, made.err)
  assert.match(made.out, /^fed_[\w-]+  submit,read  https:\/\/ci\.example  sub=a=b ref=refs\/heads\/\*  CI$/)
  const id = /fed_[\w-]+/.exec(made.out)?.[0] ?? ''
  assert.equal((await run(['federation', 'show', id])).out, made.out)
  assert.equal((await run(['federation', 'list'])).out, made.out)
  assert.equal((await run(['federation', 'remove', id])).code, 0)
  assert.equal((await run(['federation', 'show', id])).code, 4)
  assert.match((await run(['federation', 'create', ...named])).err, /--claim is missing/)
  assert.match((await run(['federation', 'create', ...named, '--claim', 'sub'])).err, /NAME=VALUE/)
})

test('profile create, replace, list, show and remove; a file that is no profile is refused before it is sent', async () => {
  const file = join(service.dataFolder, 'pack.json')
  const write = (title: string): void =>
    writeFileSync(
      file,
      JSON.stringify({
        profile: 'pack',
        title,
        description: 'For each meeting.',
        items: [{ id: 'minutes', title: 'Minutes' }],
      }),
    )
  write('Pack')
  assert.match(
    (await run(['profile', 'create', file])).out,
    /^pack, version 1: Pack\n.*\n {2}minutes {2}Minutes$/,
  )
  write('Other')
  assert.match((await run(['profile', 'replace', file])).out, /^pack, version 2: Other/)
  assert.match((await run(['profile', 'list'])).out, /^pack +workspace, version 2  1 item  Other$/m)
  assert.equal((await run(['profile', 'remove', 'pack'])).code, 0)
  assert.equal((await run(['profile', 'show', 'pack'])).code, 4)
  writeFileSync(file, '{}')
  assert.match((await run(['profile', 'create', file])).err, /is not a valid profile/)
})
