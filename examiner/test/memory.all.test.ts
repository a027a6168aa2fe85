// How much memory examining hostile files needs, in a process of its own.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { zipOf } from './evidence-samples.ts'

const MEGABYTE = 1_000_000
const LIMIT = 200 * MEGABYTE
const folder = mkdtempSync(join(tmpdir(), 'kitseal-memory-'))
after(() => rmSync(folder, { recursive: true }))

/** Repeats a piece up to a size, without holding it in memory. */
function large(
  name: string,
  piece: string | Uint8Array,
  megabytes: number,
  start: string | Uint8Array = '',
): void {
  const file = openSync(join(folder, name), 'w')
  writeSync(file, Buffer.from(start))
  const bytes = Buffer.from(piece)
  const block = Buffer.concat(Array.from({ length: Math.ceil(MEGABYTE / bytes.length) }, () => bytes))
  for (let written = 0; written < megabytes * MEGABYTE; written += block.length) writeSync(file, block)
  closeSync(file)
}

const many = (count: number, content: (index: number) => string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}.json`, content(index)]))

const FILES: Readonly<Record<string, () => void>> = {
  'one line of 90 MB': () => large('line.csv', 'x', 90),
  'a field in quotes of 90 MB': () => large('quoted.csv', 'x', 90, '"'),
  'JSON of brackets': () => large('deep.json', '[', 60),
  'JSON of one string': () => large('string.json', 'a', 60, '"'),
  'XML of elements': () => large('deep.xml', '<a>', 15),
  'XML of one attribute': () => large('attribute.xml', 'x', 15, '<a b="'),
  'YAML of brackets': () => large('flow.yaml', '[a,', 0.2),
  'a mail of headers': () => large('header.eml', 'X-A: b\n', 60, 'From: a@b.c\n'),
  'a mail of parts': () =>
    large('parts.eml', '--x\n\na\n', 40, 'Content-Type: multipart/mixed; boundary=x\n\n'),
  'RTF of groups': () => large('deep.rtf', '{', 60, String.raw`{\rtf1 `),
  'HTML of tags': () => large('tags.html', '<b>', 60, '<!doctype html>'),
  'UTF-16': () => large('wide.json', Buffer.from('[', 'utf16le'), 40, Buffer.from([0xff, 0xfe])),
  'a PNG of tiny chunks': () =>
    large(
      'tiny.png',
      Buffer.from('0000000074455874aaaaaaaa', 'hex'),
      60,
      Buffer.from('89504e470d0a1a0a', 'hex'),
    ),
  'a GIF of tiny blocks': () =>
    large('tiny.gif', Buffer.from('21fe00', 'hex'), 60, Buffer.from('47494638396101000100000000', 'hex')),
  'a PDF of objects': () =>
    large('objects.pdf', '1 0 obj\n<</Type/EmbeddedFile>>\nendobj\n', 60, '%PDF-1.4\n'),
  'a tar of empty files': () => large('zeros.tar', Buffer.alloc(512), 60),
  'a gzip bomb': () => writeFileSync(join(folder, 'bomb.gz'), gzipSync(Buffer.alloc(150 * MEGABYTE))),
  'gzip members': () => large('members.gz', gzipSync('a'), 3),
  'possible secrets': () => large('secrets.env', 'PASSWORD=hunter2hunter2\nAKIAIOSFODNN7EXAMPLQ\n', 60),
  'a checksum list': () => large('SHA256SUMS', `${'0'.repeat(64)}  missing-file\n`, 0.9),
  'an archive of many files': () =>
    writeFileSync(join(folder, 'many.zip'), zipOf(many(9000, (index) => `[${index}`))),
  'an archive of a large text': () =>
    writeFileSync(join(folder, 'big.zip'), zipOf({ 'a.log': 'line of a log\n'.repeat(7 * MEGABYTE) })),
}

const SCRIPT = fileURLToPath(new URL('./examine-alone.ts', import.meta.url))

for (const [title, write] of Object.entries(FILES)) {
  test(
    `examining ${title} needs less than ${LIMIT / MEGABYTE} MB`,
    { timeout: 300_000, skip: !existsSync('/proc/self/status') },
    () => {
      write()
      const output = execFileSync(process.execPath, [SCRIPT, folder], { encoding: 'utf8' })
      const { usedBytes, seconds } = JSON.parse(output) as { usedBytes: number; seconds: number }
      console.log(`${title}: ${Math.round(usedBytes / MEGABYTE)} MB, ${seconds.toFixed(1)} s`)
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
      assert.ok(usedBytes < LIMIT, `${Math.round(usedBytes / MEGABYTE)} MB`)
    },
  )
}
