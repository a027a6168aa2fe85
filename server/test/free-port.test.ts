import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { freePort } from './free-port.ts'

const RANGE = '/proc/sys/net/ipv4/ip_local_port_range'

test('a free port is outside the range from which the system gives ports to connections', async () => {
  const [first = 32_768, last = 65_535] =
    process.platform === 'linux' ? readFileSync(RANGE, 'utf8').trim().split(/\s+/).map(Number) : []
  for (let count = 0; count < 20; count++) {
    const port = await freePort()
    assert.ok(port < first || port > last, `${port} lies between ${first} and ${last}`)
  }
})
