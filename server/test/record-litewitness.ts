// Records a session with litewitness of torchwood, for machines where it is not available:
// node server/test/record-litewitness.ts
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseVkey } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { startLitewitness, torchwoodPrograms } from '../../cli/test/litewitness.ts'
import { askAll, EXPECTED, LOG_KEY } from './litewitness-session.ts'
import { RECORDED, type Recorded } from './recorded-litewitness.ts'

const programs = torchwoodPrograms()
assert.notEqual(programs, '', 'torchwood is not available here')
const folder = mkdtempSync(join(tmpdir(), 'kitseal-record-'))
const replies: Recorded['replies'][number][] = []
try {
  await using witness = await startLitewitness(programs, folder, LOG_KEY)
  const proxy = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const reply = await fetch(witness.url + request.url, { method: 'POST', body })
    const text = await reply.text()
    const type = reply.headers.get('content-type') ?? ''
    replies.push({ request: body.toString(), status: reply.status, type, body: text })
    response.writeHead(reply.status, { 'content-type': type }).end(text)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const now = Date.now()
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  assert.deepEqual(await askAll(url, parseVkey(witness.vkey, nodeHost.digest), now), EXPECTED)
  proxy.closeAllConnections()
  proxy.close()
  const recorded: Recorded = { now, vkey: witness.vkey, replies }
  writeFileSync(RECORDED, `${JSON.stringify(recorded, null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true })
}
