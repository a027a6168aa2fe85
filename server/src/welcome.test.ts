import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { browser } from '../../test/kit/console.ts'
import { testService } from '../../test/kit/service.ts'
import { until } from '../../test/kit/until.ts'
import { welcome } from './welcome.ts'

test('the first start hands over three lines: the link to sign in, the API key, and the command to log in', async () => {
  await using service = await testService()
  const { firstApiKey = '', firstInvitation = '' } = service.service
  const three = `  sign in   ${firstInvitation}\n  API key   ${firstApiKey}\n  log in    npx kitseal login ${service.base}\n`
  const options = { program: 'npx kitseal' } as const
  const shown = await welcome(service.service, service.config, { isTerminal: true, ...options })
  assert.ok(shown.includes(`\n\n${three}\nCtrl-C stops it.`), shown)
  assert.doesNotMatch(shown, /curl/)
  await welcome(service.service, service.config, { isTerminal: false, ...options })
  assert.equal(readFileSync(join(service.dataFolder, 'first-start.txt'), 'utf8'), three)
})

const noIpv6 =
  Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1')) === true
    ? false
    : 'this machine has no ::1'

test('a service that listens on every interface is at the loopback address, whatever addresses the machine has', async () => {
  await using service = await testService({ KITSEAL_HOST: '0.0.0.0' })
  assert.match(service.service.issuer, /^http:\/\/127\.0\.0\.1:\d+$/)
})

test(
  'a service that listens on every interface of IPv6 shows an address that works',
  { skip: noIpv6 },
  async () => {
    await using service = await testService({ KITSEAL_HOST: '::' })
    assert.match(service.service.issuer, /^http:\/\/\[::1\]:\d+$/)
    assert.equal(service.base, service.service.issuer)
  },
)

test('a terminal is shown the secrets of the first start; otherwise only their owner can read them, in a file until the first sign-in', async () => {
  await using service = await testService()
  const { firstApiKey = '', firstInvitation = '' } = service.service
  const secrets = [firstApiKey, firstInvitation]
  const shown = await welcome(service.service, service.config, { isTerminal: true })
  assert.ok(secrets.every((secret) => secret !== '' && shown.includes(secret)))
  const path = join(service.dataFolder, 'first-start.txt')
  assert.ok(!existsSync(path))

  // What is there already, even a link to another file, is replaced and not written to.
  const other = join(service.dataFolder, 'other.txt')
  writeFileSync(other, 'other')
  symlinkSync(other, path)
  const logged = await welcome(service.service, service.config, { isTerminal: false })
  assert.ok(logged.includes(path), logged)
  assert.ok(!secrets.some((secret) => (logged + service.log()).includes(secret)))
  assert.equal(readFileSync(other, 'utf8'), 'other')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const written = readFileSync(path, 'utf8')
  assert.ok(secrets.every((secret) => written.includes(secret)))

  const user = browser(service)
  const token = firstInvitation.slice(firstInvitation.indexOf('#') + 1)
  assert.equal((await user.post('/invitation', { token })).status, 200)
  assert.ok(existsSync(path), 'opening the link is no sign-in')
  const person = { name: 'Ann', email: 'ann@acme.example' }
  assert.equal((await user.post('/invitation/accept', { token, ...person })).status, 200)
  await until(() => !existsSync(path))
})

test('a data folder that takes no file does not stop the first start, and how to get another link is shown', async () => {
  await using service = await testService()
  const config = { ...service.config, databaseUrl: undefined, dataFolder: '/proc/nowhere' }
  const address = service.base.replace('127.0.0.1', 'localhost')
  const text = await welcome(service.service, config, { isTerminal: false })
  assert.match(
    text,
    /could not be written to \/proc\/nowhere\/first-start\.txt \(.*\)\.\nTo get another link, .*: kitseal admin invite --workspace default/,
  )
  assert.ok(text.includes(` --data /proc/nowhere --url ${address}\n`), text)
  assert.ok(!text.includes(service.service.firstApiKey ?? ''))
})

test('in the image, instructions are commands of docker, and the log contains no secret', async () => {
  await using service = await testService()
  const config = { ...service.config, databaseUrl: undefined }
  const logged = await welcome(service.service, config, { isTerminal: false, container: 'b0x' })
  const path = join(service.dataFolder, 'first-start.txt')
  assert.ok(logged.includes(`the owner, run: docker exec b0x cat ${path}\n`), logged)
  assert.ok(!logged.includes(service.service.firstApiKey ?? ''))
  const written = readFileSync(path, 'utf8')
  assert.match(written, /log in {4}kitseal login http/)
  assert.doesNotMatch(written + logged, /npx|Ctrl-C/)
})
