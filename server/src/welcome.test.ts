import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { browser } from '../../test/kit/console.ts'
import { testService } from '../../test/kit/service.ts'
import { until } from '../../test/kit/until.ts'
import { welcome } from './welcome.ts'

test('the command for another invitation includes the data folder and the address', async () => {
  await using service = await testService()
  const config = { ...service.config, databaseUrl: undefined }
  const address = service.base.replace('127.0.0.1', 'localhost')
  const text = await welcome(service.service, config, { isTerminal: true })
  assert.match(text, /To get another link, .*: kitseal admin invite --workspace default/)
  assert.ok(text.includes(` --data ${config.dataFolder} --url ${address}\n`), text)
  const spaced = await welcome(
    service.service,
    { ...config, dataFolder: "/srv/ann's kits" },
    { isTerminal: true },
  )
  assert.ok(spaced.includes(String.raw` --data '/srv/ann'\''s kits' --url `), spaced)
})

test('instructions use npx only where kitseal is installed in this folder', async () => {
  await using service = await testService()
  const shown = async (program: 'kitseal' | 'npx kitseal') =>
    (await welcome(service.service, service.config, { isTerminal: true, program })).match(
      /(npx )?kitseal (admin invite|verify)/g,
    )
  assert.deepEqual(await shown('kitseal'), ['kitseal admin invite', 'kitseal verify'])
  assert.deepEqual(await shown('npx kitseal'), ['npx kitseal admin invite', 'npx kitseal verify'])
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
  const config = { ...service.config, dataFolder: '/proc/nowhere' }
  const text = await welcome(service.service, config, { isTerminal: false })
  assert.match(
    text,
    /could not be written to \/proc\/nowhere\/first-start\.txt \(.*\)\.\nTo get another link, /,
  )
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
  assert.match(written, /run: docker exec b0x kitseal admin invite --workspace default/)
  assert.match(written, /docker exec -i b0x .*kitseal verify/)
  assert.doesNotMatch(written + logged, /npx|Ctrl-C/)
})
