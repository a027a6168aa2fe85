import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflated, pdf, stored, zipOf, zipOfEntries } from '../test/evidence-samples.ts'
import { codes, examine, noticed } from '../test/examine.ts'

const truncated = pdf().subarray(0, 200)
const encrypted = (): Uint8Array => {
  const entry = deflated('secret.txt', 'content')
  return zipOfEntries({ ...entry, header: { ...entry.header, flags: 0x0801 } }, stored('a.txt', 'a'))
}

test('acknowledged damage does not block, stays a finding, and is in the intake report', async () => {
  const files = { 'a.pdf': truncated, 'b.json': '{' }
  assert.deepEqual(codes(await examine(files)), ['malformed_pdf a.pdf'])
  const {
    blockers,
    findings,
    intakeReport,
    files: kept,
  } = await examine(files, { accept: ['malformed_pdf'] })
  assert.deepEqual(blockers, [])
  assert.deepEqual(
    findings.map(({ code, acknowledged }) => [code, acknowledged]),
    [['malformed_pdf', true]],
  )
  assert.equal(kept.length, 2)
  const report = intakeReport as { outcome: string; accept: unknown; findings: unknown; blockers: unknown }
  assert.equal(report.outcome, 'PASS')
  assert.deepEqual(report.accept, ['malformed_pdf'])
  assert.deepEqual(report.findings, findings)
  assert.deepEqual(report.blockers, [])
})

test('a danger cannot be acknowledged', async () => {
  const exe = Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(100)])
  const { blockers, findings } = await examine({ 'a.exe': exe }, { accept: ['executable_content'] })
  assert.deepEqual(codes({ blockers }), ['executable_content a.exe'])
  assert.equal(findings[0]?.acknowledged, false)
})

test('an archive with encrypted files is kept whole once that is acknowledged, and its other files are examined', async () => {
  assert.deepEqual(codes(await examine({ 'e.zip': encrypted() })), ['encrypted_archive e.zip/secret.txt'])
  const accepted = await examine({ 'e.zip': encrypted() }, { accept: ['encrypted_archive'] })
  assert.deepEqual(noticed(accepted), ['damage encrypted_archive e.zip/secret.txt'])
  assert.deepEqual(
    accepted.files.map(({ path }) => path),
    ['data/e.zip'],
  )
  const entry = deflated('secret.txt', 'content')
  const both = zipOfEntries(
    { ...entry, header: { ...entry.header, flags: 0x0801 } },
    stored('b.exe', 'MZ\0\0'),
  )
  assert.deepEqual(codes(await examine({ 'e.zip': both }, { accept: ['encrypted_archive'] })), [
    'executable_content e.zip/b.exe',
  ])
})

test('an empty archive is no files, and cannot be accepted', async () => {
  const { blockers } = await examine({ 'e.zip': zipOf({}) }, { accept: ['empty_archive'] })
  assert.deepEqual(
    blockers.map(({ code, message, remedy }) => [code, message, remedy]),
    [['empty_archive', 'The archive contains no files.', 'Upload at least one file.']],
  )
})

test('more notices than the limit are counted', async () => {
  const files = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${index}.sh`, '#!/bin/sh']))
  const { blockers, findings } = await examine({ 'e.zip': zipOf(files) })
  assert.deepEqual(blockers, [])
  assert.equal(findings.length, 500)
  assert.match(findings.at(-1)?.message ?? '', /101 more were found/)
})
