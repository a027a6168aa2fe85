import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BOUNDARY, CUSTODY_STATEMENT, CUSTODY_VERSION } from '@kitseal/kit'
import { checkWithQpdf, missingTool, textOf } from '../test/binder-fixture.ts'
import type { CustodyInput } from './custody-input.ts'
import { binderMaker } from './make-binder.ts'

const missing = (await missingTool('pdftotext')) || (await missingTool('qpdf'))
const { custody } = binderMaker()

const input: CustodyInput = {
  record: {
    custody_version: CUSTODY_VERSION,
    kit_id: 'kit_a',
    job_id: 'job_a',
    submission_id: 'sub_a',
    issuer: 'https://issuer.example',
    issued_at: '2026-01-31T12:00:00.000Z',
    receipt_sha256: 'a'.repeat(64),
    manifest_sha256: 'b'.repeat(64),
    kit_zip_sha256: 'c'.repeat(64),
    log_index: 4,
    made_at: '2026-02-01T12:00:00.000Z',
    events: [],
    head: {
      audit_version: 'kitseal-audit-1',
      audit_tag: '0'.repeat(64),
      count: 9,
      head: 'd'.repeat(64),
      log_proof: 'x',
    },
    statement: CUSTODY_STATEMENT,
    boundary: BOUNDARY,
  },
  name: 'Q1 review \u{202e}gnp',
  supplier: 'Ünïcode GmbH',
  files: 2,
  events: Array.from({ length: 30 }, (_, index) => ({
    seq: index + 1,
    at: '2026-01-31T12:00:00.000Z',
    action: 'share.downloaded',
    what: 'Someone downloaded from a share.',
    by: 'someone with a link',
    details: 'name: kit.zip',
    hash: 'e'.repeat(64),
  })),
  certification: false,
}

test(
  'a custody record in PDF has every fact and event, over as many pages as it takes',
  { skip: missing },
  async () => {
    const bytes = await custody(input)
    await checkWithQpdf(bytes)
    const text = await textOf(bytes)
    for (const { seq } of input.events)
      assert.ok(text.includes(`${seq}. Someone downloaded from a share.`), `${seq}`)
    for (const fact of ['kit_a', 'Ünïcode GmbH', 'c'.repeat(64), 'event 9', 'entry 4', BOUNDARY])
      assert.ok(text.includes(fact), fact)
    assert.ok(!text.includes('\u{202e}'))
    assert.ok(!text.includes('DRAFT'))
  },
)

test(
  'a draft certification has the facts, says that it is a draft, and leaves signer and signature open',
  { skip: missing },
  async () => {
    const text = (await textOf(await custody({ ...input, certification: true }))).replaceAll(/\s+/g, ' ')
    for (const part of [
      'DRAFT – not signed',
      'no legal advice',
      '902(13) and (14)',
      'c'.repeat(64),
      'Signature',
      'Position and qualification',
    ])
      assert.ok(text.includes(part), part)
  },
)
