import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeHost } from '@kitseal/kit/node'
import { pdf, png, zipOf } from '../test/evidence-samples.ts'
import { checkFiles } from './check-files.ts'
import { memoryPlatform } from './platform/memory-platform.ts'
import { memorySource } from './platform/sources.ts'

/** `stepMs` pass with each look at the clock. */
async function found(
  files: Readonly<Record<string, Uint8Array>>,
  stepMs: number,
): Promise<readonly string[]> {
  let ms = 0
  const platform = { ...memoryPlatform(nodeHost), now: () => (ms += stepMs) }
  const { findings } = await checkFiles(platform, {
    files: Object.entries(files).map(([name, bytes]) => ({ name, source: memorySource(bytes) })),
    now: '2026-06-30T12:00:00.000Z',
  })
  return findings.map((one) => `${one.class} ${one.code} ${one.path ?? ''}`)
}

const FILES = {
  'a.pdf': pdf(),
  'b.png': png(),
  'c.json': new TextEncoder().encode('{"a":'),
  'd.zip': zipOf({ 'e.pdf': pdf() }),
}

test('a file whose examination takes too long is a danger, and a text that takes too long to parse is a notice', async () => {
  assert.deepEqual(await found(FILES, 61_000), [
    'danger not_examined_in_time a.pdf',
    'danger not_examined_in_time b.png',
    'danger not_examined_in_time d.zip/e.pdf',
    'notice partly_examined c.json',
  ])
})

test('within its time, a file is examined as always', async () => {
  assert.deepEqual(await found(FILES, 1), ['notice malformed_json c.json'])
})
