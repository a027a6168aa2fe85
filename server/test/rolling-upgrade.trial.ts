import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { chaosClient } from './chaos-client.ts'
import { checkedClient } from './checked-client.ts'
import { newDatabase, sharedPostgres } from './postgres-server.ts'
import { missingRelease, previousRelease } from './previous-release.ts'
import { type ServiceProcess, serviceProcess } from './service-process.ts'
import { until } from './until.ts'
import { clientOf } from './workspace-client.ts'

// On demand: it takes most of a minute beside other tests, and only a change of the schema or of the queue can break it.
const missing =
  process.env['KITSEAL_TRY_UPGRADE'] === '1'
    ? missingRelease()
    : 'rolling upgrade: run with KITSEAL_TRY_UPGRADE=1 npm test -- rolling-upgrade'
if (missing !== undefined) console.log(`skipped: ${missing}`)
/** Submissions in each phase: on the previous release, on both, on the new one. */
const EACH = 6

test(
  'nodes are upgraded one by one from the previous release: submissions go on, and each acknowledged one ends once',
  { skip: missing ?? false, timeout: 240_000 },
  async () => {
    using previous = previousRelease()
    await using server = await sharedPostgres()
    const folder = mkdtempSync(join(tmpdir(), 'kitseal-upgrade-'))
    const settings = {
      KITSEAL_DATABASE_URL: await newDatabase(server.url),
      KITSEAL_DATA: folder,
      KITSEAL_LOG_MARK: join(folder, 'mark'),
      KITSEAL_ISSUER: 'https://kits.example',
      KITSEAL_LEASE_SECONDS: '3',
    }
    await using started = new AsyncDisposableStack()
    const start = async (main?: string): Promise<ServiceProcess> => {
      const node = await serviceProcess(settings, main)
      started.defer(async () => void (await node.end('SIGKILL')))
      return node
    }
    const old = await Promise.all([1, 2].map(() => start(previous.main)))
    let nodes: readonly ServiceProcess[] = old
    // Opening the store here would migrate it.
    const key = /ks_[\w-]+/.exec(old.map((node) => node.stdout()).join('\n'))?.[0] ?? ''
    const sent: string[] = []
    const client = chaosClient(() => nodes.map(({ base }) => base), key)
    // The first workspace has a hundred credits, and a node may take long to start.
    const load = { isOver: false, most: EACH }
    const sending = Promise.all(
      [1, 2].map(async () => {
        while (!load.isOver)
          if (sent.length < load.most) sent.push(await client.submit(`evidence ${Math.random()}`))
          else await pause(20)
      }),
    )
    const someMore = async (): Promise<void> => {
      const wanted = sent.length + EACH
      load.most = wanted + EACH
      await until(() => sent.length >= wanted)
    }

    await someMore()
    const upgraded: ServiceProcess[] = []
    for (const node of old) {
      nodes = nodes.filter((one) => one !== node)
      assert.equal(await node.end('SIGTERM'), 0, node.stderr())
      const next = await start()
      upgraded.push(next)
      nodes = [...nodes, next]
      await someMore()
    }
    load.isOver = true
    await sending

    const [first] = upgraded
    assert.ok(first !== undefined)
    const now = clientOf({ call: checkedClient(first.base) }, '', key)
    const kits = new Set<string>()
    for (const id of sent) {
      const ended = await now.ended(id)
      assert.equal(ended['status'], 'PASS', JSON.stringify(ended))
      kits.add(String(ended['kit_id']))
    }
    assert.equal(kits.size, sent.length)
    for (const kitId of kits) {
      const receipt = (await now.get(`/v1/kits/${kitId}/receipt`)).bytes.toString()
      const verified = await now.post('/v1/verify/receipt', JSON.parse(receipt))
      assert.equal(verified.json['status'], 'PASS', JSON.stringify(verified.json))
    }
    assert.deepEqual(
      [...client.seen.keys()].filter((status) => !/^(20[012]|409|503|cut)$/.test(status)),
      [],
    )
    for (const node of upgraded) assert.equal(await node.end('SIGTERM'), 0, node.stderr())
    rmSync(folder, { recursive: true })
  },
)
