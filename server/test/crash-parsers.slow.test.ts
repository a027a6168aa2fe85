import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { checkedClient } from '../../test/kit/http.ts'
import { zipOf } from '../../examiner/test/evidence-samples.ts'
import { type ServiceProcess, serviceProcess } from '../../test/kit/service-process.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../test/kit/workspace.ts'

// KITSEAL_TRY_HANGS adds a parser that hangs, which takes a minute.
const FAULTS = [
  'EXPLODE-HEAP',
  'OVERFLOW-STACK',
  'THROW-LATER',
  ...(process.env['KITSEAL_TRY_HANGS'] ? ['LOOP-FOREVER'] : []),
]

let data: string
let service: ServiceProcess
let client: WorkspaceClient

before(async () => {
  data = mkdtempSync(join(tmpdir(), 'kitseal-parsers-'))
  service = await serviceProcess({
    KITSEAL_DATA: data,
    KITSEAL_WORKERS: '2',
    TEST_MAX_ATTEMPTS: '3',
    NODE_OPTIONS: `--import=${new URL('./faulty-parsers.ts', import.meta.url).href}`,
  })
  client = await workspaceClient({ dataFolder: data, call: checkedClient(service.base) })
})
after(async () => {
  assert.equal(await service.end('SIGTERM'), 0)
  rmSync(data, { recursive: true })
})

for (const fault of FAULTS)
  test(
    `a parser crash by ${fault} fails one submission; others are issued, and the service keeps responding`,
    { timeout: 240_000 },
    async () => {
      const bad = await client.submission()
      const good = await Promise.all([client.submission(), client.submission()])
      assert.equal((await client.upload(bad, zip(`${fault}\n`))).status, 202)
      for (const id of good) assert.equal((await client.upload(id, zip(`sound ${id}\n`))).status, 202)

      for (const id of good) assert.equal((await client.ended(id))['status'], 'PASS')
      const failed = await client.ended(bad)
      assert.equal(failed['status'], 'FAIL')
      const [blocker] = failed['blockers'] as readonly { code: string; message: string; remedy: string }[]
      assert.match(blocker?.code ?? '', /^(evidence_unexaminable|attempts_exhausted)$/)
      assert.ok((blocker?.remedy ?? '').length > 20)
      assert.equal((await client.credits()).held, 0, 'a FAIL costs nothing')
      assert.equal((await fetch(`${service.base}/healthz`)).status, 200)
    },
  )

test('the log names the fault, and the service survives its workers', () => {
  assert.match(service.stderr(), /a worker crashed/)
  assert.match(service.stderr(), /ERR_WORKER_OUT_OF_MEMORY|reached heap limit|memory limit/)
})

const zip = (text: string): FormData => form({ 'e.zip': zipOf({ 'a.txt': text }) })
