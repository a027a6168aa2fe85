import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  auditEventHash,
  auditLeaf,
  auditLine,
  auditTag,
  fromUtf8,
  leafBytes,
  vkey,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { proofOf, testLogKey } from '../../kit/test/make-log.ts'
import { main } from '../src/main.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-audit-'))
after(() => rmSync(folder, { recursive: true }))
const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const log = testLogKey('issuer.example/log')
const policy = file('policy', `log ${vkey(log.key)}\nquorum none\n`)
const audit_tag = auditTag('ws_a', 'secret', nodeHost.digest)
let prev = audit_tag
const events = [1, 2, 3].map((seq) => {
  const who = { actor: 'service', key_id: null, member_id: null }
  const event = {
    seq,
    prev,
    at: '2026-01-31T12:00:00.000Z',
    ...who,
    action: 'a.b',
    subject: 'x',
    details: {},
  }
  prev = auditEventHash(event, nodeHost.digest)
  return auditLine({ ...event, hash: prev })
})
const state = { audit_tag, count: 3, head: prev }
const proof = proofOf(leafBytes(auditLeaf(state)), { index: 1, size: 3, log })
const head = auditLine({ audit_version: 'kitseal-audit-1', ...state, log_proof: fromUtf8(proof) })

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  let text = ''
  const output = { write: (part: string) => (text += part) }
  const env = { HOME: folder, KITSEAL_API_KEY: 'ks_test' }
  const code = await main(['audit', ...args], { env, stdout: output, stderr: output })
  return { code, text }
}

test('verify exits with 0, 1, 2 and 3 as the result is PASS, FAIL, unreadable and unconfirmed', async () => {
  const whole = file('whole.jsonl', [...events, head].join(''))
  const passed = await run('verify', whole, '--policy', policy)
  assert.equal(passed.code, 0, passed.text)
  assert.match(passed.text, /PASS {2}Verified/)
  assert.equal((await run('verify', whole)).code, 3)
  const cut = file('cut.jsonl', [events[0], events[2], head].join(''))
  const failed = await run('verify', cut, '--policy', policy, '--json')
  assert.equal(failed.code, 1)
  const { errors, status } = JSON.parse(failed.text) as { readonly errors: string[]; readonly status: string }
  assert.equal(status, 'FAIL')
  assert.deepEqual(errors, ['audit_event_missing: line 2 is event 3, and event 2 is missing'])
  for (const args of [
    ['verify', join(folder, 'none')],
    ['verify'],
    ['verify', whole, '--policy', cut],
    ['no'],
  ])
    assert.equal((await run(...args)).code, 2, args.join(' '))
})

test('--head finds what is missing from a file without a head, or with an older one', async () => {
  const newest = file('head.json', head)
  const all = file('all.jsonl', events.join(''))
  assert.equal((await run('verify', all, '--head', newest, '--policy', policy)).code, 0)
  const older = file('older.jsonl', events.slice(0, 2).join(''))
  const { code, text } = await run('verify', older, '--head', newest, '--policy', policy)
  assert.equal(code, 1)
  assert.match(text, /audit_head_mismatch: the head is event 3, and the file ends at event 2/)
})

test('export says how many events the log has not confirmed, and --require-confirmed then exits with 3', async () => {
  let newest = 3
  const server = createServer(({ url }, response) => {
    if (url?.startsWith('/v1/audit/export') === true) response.end([...events, head].join(''))
    else
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ data: [{ seq: newest }], next_cursor: null, boundary: 'x' }))
  }).listen(0, '127.0.0.1')
  after(() => server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const exportTo = (name: string, ...more: readonly string[]) =>
    run('export', join(folder, name), '--url', url, ...more)
  const all = await exportTo('a.jsonl', '--require-confirmed')
  assert.equal(all.code, 0, all.text)
  assert.match(all.text, /^Saved 3 events to .*, confirmed by the log up to event 3\.\n/)
  newest = 5
  const older = await exportTo('b.jsonl')
  assert.equal(older.code, 0, older.text)
  assert.match(older.text, /2 newer events not exported: .* Export again later\./)
  const strict = await exportTo('c.jsonl', '--require-confirmed', '--json')
  assert.equal(strict.code, 3)
  assert.equal((JSON.parse(strict.text) as { readonly unconfirmed: number }).unconfirmed, 2)
  server.closeAllConnections()
})
