// Copies the data folder whenever something has become durable: this is what SIGKILL leaves. Then starts the service on each copy.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import {
  parseCheckpoint,
  signatureLine,
  type TrustedKeySet,
  trustKeys,
  utf8,
  verifyKit,
  vkey,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { zipOf } from '../../examiner/test/evidence-samples.ts'
import { openBytes } from '../../kit/test/make-kit.ts'
import { testWitness } from '../../kit/test/make-log.ts'
import { openStore, scrubObjects, startService } from '../src/index.ts'
import { DURABLE_CHANNEL } from '../src/runtime/durable.ts'
import { checkedClient } from '../../test/kit/http.ts'
import { writeEmptySqlite } from '../../test/kit/databases.ts'
import { type SmtpReceiver, smtpReceiver } from '../../test/kit/mail.ts'
import { testConfig } from '../../test/kit/service.ts'
import { tusClient } from '../../test/kit/tus.ts'
import { until } from '../../test/kit/until.ts'
import { clientOf, form, type WorkspaceClient, workspaceClient } from '../../test/kit/workspace.ts'

/** More than any lease, less than any retry that gives up. */
const LATER_MS = 20 * 60_000
const CREDITS = 10

/** What the caller was told so far. */
type Told = Record<string, string | number | boolean>

interface Copy {
  readonly folder: string
  readonly told: Told
  /** The checkpoint of each size that the witness has cosigned. */
  readonly cosigned: ReadonlyMap<number, string>
}

interface Story {
  /** What happens before copies are made. */
  readonly first?: (client: WorkspaceClient, node: Node) => Promise<Told>
  /** Goes on from what was told before, and adds to it. */
  readonly next: (client: WorkspaceClient, told: Told, node: Node) => Promise<void>
  /** Checks what a service on a copy makes of it. */
  readonly check: (client: WorkspaceClient, told: Told, node: Node) => Promise<void>
  /** At least this many copies are different. */
  readonly copies: number
}

let witness: Awaited<ReturnType<typeof rememberingWitness>>
let mail: SmtpReceiver

before(async () => {
  witness = await rememberingWitness()
  mail = await smtpReceiver()
})
after(async () => {
  await witness[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
})

for (const [name, evidence, outcome] of [
  ['evidence becomes one kit', { 'e.zip': zipOf({ 'a.txt': 'one', 'b/c.txt': 'two' }) }, 'PASS'],
  ['evidence with a blocker fails once', { 'a.pdf': '%PDF-' }, 'FAIL'],
] as const)
  test(`after a crash at any point, ${name}, and what was acknowledged is there`, async (t) => {
    await tell(t, {
      next: async (client, told) => {
        const id = (told['submission'] = await client.submission())
        assert.equal((await client.upload(id, form(evidence))).status, 202)
        told['sent'] = true
        told['kit'] = String((await client.ended(id))['kit_id'])
      },
      check: async (client, told) => {
        if (told['submission'] === undefined) return assert.equal((await client.credits()).available, CREDITS)
        const id = String(told['submission'])
        const { json } = await client.get(`/v1/submissions/${id}`)
        if (json['status'] === 'PENDING' && (json['evidence'] as readonly unknown[]).length === 0) {
          assert.equal(told['sent'], undefined, 'an acknowledged upload is there')
          assert.deepEqual(await client.credits(), { available: CREDITS, held: 0 })
          assert.equal((await client.upload(id, form(evidence))).status, 202)
        }
        const ended = await client.ended(id)
        assert.equal(ended['status'], outcome)
        if (told['kit'] !== undefined) assert.equal(String(ended['kit_id']), told['kit'])
        await hasKits(client, outcome === 'PASS' ? [ended] : [], outcome === 'PASS' ? 1 : 0)
      },
      copies: outcome === 'PASS' ? 15 : 6,
    })
  })

test('after a crash at any point of a resumable upload, it continues at or after the last acknowledged byte', async (t) => {
  const content = Buffer.from('one line of a log\n'.repeat(100_000))
  const most = 1_500_007
  await tell(t, {
    next: async (client, told, node) => {
      const tus = tusClient(node, client)
      const id = (told['submission'] = await client.submission())
      const path = (told['path'] = await tus.upload(id, 'app.log', content.length))
      assert.equal((await tus.append(path, 0, content.subarray(0, most))).status, 204)
      told['offset'] = most
      assert.equal((await tus.append(path, most, content.subarray(most))).status, 204)
      told['offset'] = content.length
    },
    check: async (client, told, node) => {
      if (told['path'] === undefined) return
      const tus = tusClient(node, client)
      const path = String(told['path'])
      const offset = await tus.offset(path)
      assert.ok(offset >= Number(told['offset'] ?? 0), `${offset} bytes are there`)
      if (offset < content.length)
        assert.equal((await tus.append(path, offset, content.subarray(offset))).status, 204)
      const { json } = await client.get(`/v1/submissions/${String(told['submission'])}`)
      assert.deepEqual(
        (json['evidence'] as readonly { name: string; sha256: string }[]).map((one) => [
          one.name,
          one.sha256,
        ]),
        [['app.log', createHash('sha256').update(content).digest('hex')]],
      )
    },
    copies: 6,
  })
})

test('after a crash at any point of a re-issue, there is one new kit, and it costs nothing', async (t) => {
  await tell(t, {
    first: async (client, node) => {
      const told = await sealed(client)
      await using store = await openStore(node.config)
      const active = (await store.signingKeys.list()).find(({ state }) => state === 'active')
      assert.equal((await store.signingKeys.revoke(active?.kid ?? '')).is, 'done')
      return told
    },
    next: async (client, told) => {
      const created = await client.post(`/v1/submissions/${String(told['submission'])}/reissue`, {})
      assert.equal(created.status, 201, created.bytes.toString())
      told['again'] = String(created.json['submission_id'])
      told['new'] = String((await client.ended(told['again']))['kit_id'])
    },
    check: async (client, told) => {
      const path = `/v1/submissions/${String(told['submission'])}`
      const known = (await client.get(path)).json['replaced_by'] as { submission_id: string } | null
      if (told['again'] !== undefined) assert.equal(known?.submission_id, told['again'])
      const again =
        known?.submission_id ?? String((await client.post(`${path}/reissue`, {})).json['submission_id'])
      const ended = await client.ended(again)
      assert.equal(ended['status'], 'PASS')
      if (told['new'] !== undefined) assert.equal(ended['kit_id'], told['new'])
      await hasKits(client, [ended], 1, 2)
    },
    copies: 10,
  })
})

test('after a crash at any point of an erasure, the evidence is there as a whole, or gone for good', async (t) => {
  await tell(t, {
    first: sealed,
    next: async (client, told, node) => {
      const path = `/v1/submissions/${String(told['submission'])}`
      const { status } = await node.call(path, { method: 'DELETE', headers: { 'x-api-key': client.key } })
      assert.equal(status, 204)
      told['erased'] = true
    },
    check: async (client, told) => {
      const kit = `/v1/kits/${String(told['kit'])}`
      const { status } = await client.get(`${kit}/download`)
      assert.ok(status === 410 || (status === 200 && told['erased'] === undefined), String(status))
      assert.equal((await client.get(`${kit}/erasure`)).status, status === 410 ? 200 : 404)
      assert.equal((await client.get(`${kit}/receipt`)).status, 200)
      assert.deepEqual(await client.credits(), { available: CREDITS - 1, held: 0 })
    },
    copies: 2,
  })
})

test('after a crash at any point, every mail that was acknowledged is sent, and a duplicate has the same Message-ID', async (t) => {
  const recipients = ['ann@example.com', 'bo@example.com']
  let received = 0
  await tell(t, {
    next: async (client, told) => {
      const items = [{ id: 'A', title: 'Accounts' }]
      const created = await client.post('/v1/requests', { title: 'Access review', items, recipients })
      assert.equal(created.status, 201, created.bytes.toString())
      told['request'] = true
      await until(() => recipients.every((address) => sentTo(address).size > 0))
      // The answer of the mail server is recorded after it has the mail.
      await new Promise((resolve) => setTimeout(resolve, 200))
      told['mailed'] = true
      received = mail.received.length
    },
    check: async (_client, told) => {
      // A mail is taken off the queue after the mail server has it, so the next one is sent at the latest then.
      if (told['request'] === true && told['mailed'] === undefined)
        await until(
          () => mail.received.length > received || recipients.every((each) => sentTo(each).size === 1),
        )
      for (const address of recipients) assert.equal(sentTo(address).size, 1, address)
    },
    copies: 4,
  })
})

test('a copy is started as it was: what is missing there is noticed', async (t) => {
  const story: Story = {
    next: async (client, told) => {
      told['submission'] = 'sub_none'
      await client.submission()
    },
    check: async (client, told) =>
      assert.equal((await client.get(`/v1/submissions/${String(told['submission'])}`)).status, 200),
    copies: 1,
  }
  await assert.rejects(tell(t, story), /copy 1 of \d+, told .*sub_none/)
})

/** The Message-IDs of all mails to an address. */
function sentTo(address: string): ReadonlySet<string | undefined> {
  const mails = mail.received.filter(({ to }) => to.includes(address))
  return new Set(mails.map(({ headers }) => headers.get('message-id')))
}

interface Node extends AsyncDisposable {
  readonly base: string
  readonly call: ReturnType<typeof checkedClient>
  readonly config: ReturnType<typeof testConfig>
}

async function startIn(folder: string, clock: { now(): number }): Promise<Node> {
  writeFileSync(join(folder, 'policy'), `witness w ${witness.vkey} ${witness.url}\nquorum w\n`)
  const config = testConfig({
    KITSEAL_DATA: join(folder, 'data'),
    KITSEAL_LOG_MARK: join(folder, 'mark'),
    KITSEAL_PORT: '0',
    KITSEAL_METRICS_LISTEN: '127.0.0.1:0',
    KITSEAL_RATE_LIMIT: 'off',
    KITSEAL_LOG_LEVEL: 'error',
    KITSEAL_ISSUER: 'https://issuer.example',
    KITSEAL_WITNESS_POLICY: join(folder, 'policy'),
    KITSEAL_PROOF: 'require',
    KITSEAL_SMTP_URL: mail.url,
    KITSEAL_MAIL_FROM: 'kits@issuer.example',
    TEST_SCRUB_BYTES_PER_SECOND: '0',
  })
  const service = await startService(config, { log: { write: () => undefined }, clock })
  return {
    base: service.address,
    call: checkedClient(service.address),
    config,
    [Symbol.asyncDispose]: () => service.stop(),
  }
}

async function tell(t: TestContext, story: Story): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'kitseal-crash-'))
  t.after(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'live')
  mkdirSync(join(folder, 'data'), { recursive: true })
  await writeEmptySqlite(join(folder, 'data/kitseal.sqlite'))
  witness.start(new Map())
  const copies: Copy[] = []
  let seen = ''
  let told: Told = {}
  const copy = (what?: unknown): void => {
    const now = stateOf(folder)
    // What arrives of an upload is not durable before it is reported.
    if (now === seen && what !== 'file') return
    seen = now
    const to = join(root, String(copies.length))
    cpSync(folder, to, { recursive: true, filter: (path) => !path.endsWith('-shm') })
    copies.push({ folder: to, told: { ...told }, cosigned: new Map(witness.cosigned()) })
  }

  const node = await startIn(folder, { now: () => Date.now() })
  let client: WorkspaceClient
  try {
    client = await workspaceClient({ dataFolder: join(folder, 'data'), config: node.config, call: node.call })
    told = (await story.first?.(client, node)) ?? {}
    witness.onCosigned = copy
    subscribe(DURABLE_CHANNEL, copy)
    await story.next(client, told, node)
  } finally {
    unsubscribe(DURABLE_CHANNEL, copy)
    witness.onCosigned = () => undefined
    await node[Symbol.asyncDispose]()
  }

  assert.ok(copies.length >= story.copies, `${copies.length} copies`)
  t.diagnostic(`${copies.length} copies`)
  for (const [index, { folder: at, told: known, cosigned }] of copies.entries()) {
    witness.start(cosigned, LATER_MS)
    const where = `copy ${index + 1} of ${copies.length}, told ${JSON.stringify(known)}`
    try {
      await using again = await startIn(at, { now: () => Date.now() + LATER_MS })
      await story.check(clientOf(again, client.workspaceId, client.key), known, again)
      await using store = await openStore(again.config)
      for await (const { finding } of scrubObjects(store)) assert.equal(finding, undefined)
    } catch (error) {
      throw new Error(`${where}: ${String(error)}`, { cause: error })
    }
    assert.equal(witness.forks(), 0, where)
    rmSync(at, { recursive: true })
  }
}

/** Changes with every write but those to files that are not complete. */
const stateOf = (folder: string): string =>
  globSync('**/*', { cwd: folder })
    .filter((path) => !/-shm$|objects\/(tmp|partial)\/./.test(path))
    .map((path) => [path, statSync(join(folder, path), { throwIfNoEntry: false })] as const)
    .map(([path, found]) => (found?.isFile() === true ? `${path} ${found.size} ${found.mtimeMs}` : path))
    .join('\n')

async function sealed(client: WorkspaceClient): Promise<Told> {
  const submission = await client.submission()
  await client.upload(submission, form({ 'a.txt': 'one' }))
  const { kit_id: kit } = await client.ended(submission)
  return { submission, kit: String(kit) }
}

/** These submissions have a kit each that verifies, with a log proof, and no others were issued. */
async function hasKits(
  client: WorkspaceClient,
  ended: readonly Readonly<Record<string, unknown>>[],
  charged: number,
  issued = ended.length,
): Promise<void> {
  assert.deepEqual(await client.credits(), { available: CREDITS - charged, held: 0 })
  const keys = (await client.get('/.well-known/jwks.json')).json as object as TrustedKeySet
  for (const { kit_id: kit } of ended) {
    const zip = (await client.get(`/v1/kits/${String(kit)}/download`)).bytes
    assert.ok(zip.includes('/proofs/log.tlog-proof'), 'with its log proof')
    const { verdict } = await verifyKit(await openBytes(zip), trustKeys(keys), nodeHost)
    assert.equal(verdict, 'verified')
  }
  const events = (await client.get('/v1/events?limit=100')).json['data'] as readonly { type: string }[]
  const passed = events.filter(({ type }) => type === 'submission.passed')
  assert.equal(passed.length, issued, 'one event for each kit')
}

/** Cosigns whatever it is sent, and remembers the text of each size. */
async function rememberingWitness() {
  const { key, cosign } = testWitness('w.example')
  let texts = new Map<number, string>()
  let later = 0
  let forks = 0
  const server = createServer((asked, answer) => {
    let body = ''
    asked.setEncoding('utf8').on('data', (part: string) => (body += part))
    asked.on('end', () => {
      const { text, size } = parseCheckpoint(utf8(body.slice(body.indexOf('\n\n') + 2)))
      if ((texts.get(size) ?? text) !== text) forks += 1
      texts.set(size, text)
      state.onCosigned()
      answer.end(signatureLine(cosign(text, Math.floor((Date.now() + later) / 1000))))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const state = {
    vkey: vkey(key),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onCosigned: (): void => undefined,
    cosigned: (): ReadonlyMap<number, string> => texts,
    /** How many checkpoints it was sent that contradict one of the same size. */
    forks: () => forks,
    /** Goes on from what it had cosigned at some time. */
    start: (known: ReadonlyMap<number, string>, laterMs = 0): void => {
      texts = new Map(known)
      later = laterMs
      forks = 0
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return state
}
