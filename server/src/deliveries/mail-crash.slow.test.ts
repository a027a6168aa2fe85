import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openAdministration, readConfig } from '../index.ts'
import { type ServiceProcess, serviceProcess } from '../../../test/kit/service-process.ts'
import { smtpReceiver } from '../../../test/kit/mail.ts'
import { until } from '../../../test/kit/until.ts'

const RECIPIENTS = Array.from({ length: 20 }, (_, index) => `supplier${index}@example.com`)
/** The service is killed while these messages are being sent: their content has arrived, and no answer was given. */
const KILLED_AT = new Set([2, 12])
/** The mail server has not kept these. */
const LOST_AT = new Set([12])
/** Deliveries of one node at the same time. */
const CONCURRENCY = 4

test('a service that is killed while it sends mail loses none, and a duplicate has the same Message-ID', async () => {
  const data = mkdtempSync(join(tmpdir(), 'kitseal-mail-crash-'))
  let service: ServiceProcess | undefined
  await using server = await smtpReceiver((message) => {
    if (!KILLED_AT.has(message) || service === undefined) return undefined
    process.kill(service.pid, 'SIGKILL')
    return LOST_AT.has(message) ? 451 : undefined
  })
  const settings = {
    KITSEAL_DATA: data,
    KITSEAL_SMTP_URL: server.url,
    KITSEAL_MAIL_FROM: 'kits@issuer.example',
    KITSEAL_ISSUER: 'https://issuer.example',
  }
  try {
    service = await serviceProcess(settings)
    const key = await newKey(settings)
    const created = await fetch(`${service.base}/v1/requests`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({
        title: 'Access review',
        items: [{ id: 'A', title: 'Accounts' }],
        recipients: RECIPIENTS,
      }),
    })
    assert.equal(created.status, 201)
    const missing = (): readonly string[] =>
      RECIPIENTS.filter((address) => !server.received.some(({ to }) => to.includes(address)))
    for (let kills = 0; kills < KILLED_AT.size; kills += 1) {
      assert.equal(await service.ended(), 'SIGKILL')
      service = await serviceProcess(settings)
    }
    await until(() => missing().length === 0)
    assert.equal(await service.end('SIGTERM'), 0)

    const ids = new Map<string, Set<string>>()
    for (const { to, headers } of server.received) {
      const known = ids.get(to[0] ?? '') ?? new Set()
      ids.set(to[0] ?? '', known.add(headers.get('message-id') ?? ''))
    }
    assert.deepEqual([...ids.keys()].toSorted(), RECIPIENTS.toSorted())
    for (const [address, known] of ids) assert.equal(known.size, 1, address)
    const all = new Set(server.received.map(({ headers }) => headers.get('message-id')))
    assert.equal(all.size, RECIPIENTS.length)
    const duplicates = server.received.length - RECIPIENTS.length
    assert.ok(duplicates >= 1 && duplicates <= KILLED_AT.size * CONCURRENCY, `${duplicates} duplicates`)
  } finally {
    await service?.end('SIGKILL')
    rmSync(data, { recursive: true, force: true })
  }
})

async function newKey(settings: Readonly<Record<string, string>>): Promise<string> {
  const config = readConfig(settings)
  assert.ok(config.ok)
  await using admin = await openAdministration(config.value)
  const workspace = { name: 'Acme', plan: 'default', credits: 5, keyLabel: 'trial' }
  return (await admin.workspaces.create(workspace, { is: 'operator' })).key.text
}
