import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { testService } from '../test/test-service.ts'
import { welcome } from './welcome.ts'

test('the command for another invitation includes the data folder and the address', async () => {
  await using service = await testService()
  const config = { ...service.config, databaseUrl: undefined }
  const address = service.base.replace('127.0.0.1', 'localhost')
  const text = await welcome(service.service, config)
  assert.match(text, /To get another link, .*npx kitseal admin invite --workspace default/)
  assert.ok(text.includes(` --data ${config.dataFolder} --url ${address}\n`), text)
  const spaced = await welcome(service.service, { ...config, dataFolder: "/srv/ann's kits" })
  assert.ok(spaced.includes(String.raw` --data '/srv/ann'\''s kits' --url `), spaced)
})

const noIpv6 =
  Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1')) === true
    ? false
    : 'this machine has no ::1'

test('a service that listens on every interface shows an address that works', { skip: noIpv6 }, async () => {
  await using service = await testService({ KITSEAL_HOST: '::' })
  assert.match(service.service.issuer, /^http:\/\/\[::1\]:\d+$/)
  assert.equal(service.base, service.service.issuer)
})
