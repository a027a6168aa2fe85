import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nodeHost } from '@kitseal/kit/node'
import {
  CODE,
  compound,
  ole10Native,
  olePackage,
  oneNote,
  outlookMessage,
  vbaBin,
  vbaProject,
} from '../test/compound-samples.ts'
import { message, tnef } from '../test/mail-samples.ts'
import { pdfWithFile } from '../test/pdf-samples.ts'
import { windowsProgram } from '../test/program-samples.ts'
import {
  bytesOf,
  deflated,
  openDocument,
  openXml,
  pdf,
  SOUND_FILES,
  stored,
  zipOf,
  zipOfEntries,
} from '../test/evidence-samples.ts'
import { NOW } from '../test/examine.ts'
import { checkFiles, type CheckResult } from './check-files.ts'
import { TextDetector } from './detect/text-encoding.ts'
import { memoryPlatform } from './platform/platform.ts'
import { RULES } from './rules.ts'
import { memorySource } from './platform/sources.ts'

const check = (files: Readonly<Record<string, string | Uint8Array>>): Promise<CheckResult> =>
  checkFiles(memoryPlatform(nodeHost), {
    files: Object.entries(files).map(([name, content]) => ({
      name,
      source: memorySource(typeof content === 'string' ? Buffer.from(content) : content),
    })),
    now: NOW,
  })

/** Deterministic, so that failures are reproducible. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.trunc((state / 2 ** 32) * below)
  }
}

function mutate(original: Uint8Array, roll: (below: number) => number): Buffer {
  const bytes = Buffer.from(original)
  for (let times = 1 + roll(4); times > 0; times--) {
    const at = roll(bytes.length)
    const kind = roll(5)
    if (kind === 0) bytes[at] = roll(256)
    else if (kind === 1) bytes[at] = (bytes[at] ?? 0) ^ (1 << roll(8))
    else if (kind === 2) bytes.fill(roll(2) * 255, at, Math.min(bytes.length, at + roll(8)))
    else if (kind === 3) bytes.copy(bytes, roll(bytes.length), at, at + roll(64))
    else return bytes.subarray(0, at)
  }
  return bytes
}

test('no damaged file makes the examination throw, hang or report an unknown rule', async () => {
  const roll = dice(20260501)
  const all = Object.entries(SOUND_FILES)
  const archive = zipOf(SOUND_FILES)
  const nested = zipOf({ 'n.zip': archive, 'm.docx': openXml('docx'), 'o.odt': openDocument('text') })
  const mixed = zipOfEntries(stored('a.pdf', pdf()), deflated('b.pdf', pdf()), stored('c.zip', archive))
  let refused = 0
  for (let round = 0; round < 600; round++) {
    const [name, content] =
      round % 4 === 0
        ? (['e.zip', [archive, nested, mixed][roll(3)] as Uint8Array] as const)
        : (all[roll(all.length)] as readonly [string, string | Uint8Array])
    const bytes = mutate(typeof content === 'string' ? Buffer.from(content) : content, roll)
    const { blockers } = await check({ [name]: bytes })
    for (const { code } of blockers) assert.ok(code in RULES, code)
    if (blockers.length > 0) refused++
  }
  // Texts are not proof-read, so damage in them is none.
  assert.ok(refused > 250, `${refused} of 600 were rejected`)
})

test('no damaged container makes the examination throw', async () => {
  const roll = dice(20261117)
  const exe = windowsProgram()
  const containers: Readonly<Record<string, Uint8Array>> = {
    'a.msg': outlookMessage({ 'b.txt': exe, 'c.zip': zipOf({ d: exe }) }),
    'a.doc': compound({
      WordDocument: 'x',
      Macros: vbaProject({ M: CODE }),
      '\u0001Ole10Native': ole10Native('a', exe),
    }),
    'a.dat': tnef('a.exe', exe, true),
    'a.one': oneNote('a.exe', exe),
    'a.eml': bytesOf(message(zipOf({ d: exe }))),
    'a.rtf': bytesOf(
      `{\\rtf1{\\object{\\*\\objdata 0105000002000000${ole10Native('a', exe).toString('hex')}}}}`,
    ),
    'a.pdf': pdfWithFile('a.exe', exe),
    'a.docx': openXml('docx', {
      'word/vbaProject.bin': vbaBin(),
      'word/embeddings/o.bin': olePackage('a', exe),
    }),
  }
  const all = Object.entries(containers)
  for (let round = 0; round < 450; round++) {
    const [name, content] = all[round % all.length] as readonly [string, Uint8Array]
    const { findings } = await check({ [name]: mutate(content, roll) })
    for (const { code } of findings) assert.ok(code in RULES, code)
  }
})

test('files that are built to slow down a parser take bounded time', async () => {
  const deep = '['.repeat(1_000_000)
  const pages = Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), Buffer.alloc(900_000, 1)])
  const laughs = `<!DOCTYPE a [${Array.from({ length: 20 }, (_, i) => `<!ENTITY e${i} "&e${i - 1};&e${i - 1};">`).join('')}]><a>&e19;</a>`
  const hostile: Readonly<Record<string, string | Uint8Array>> = {
    'deep.json': deep,
    'deep.xml': '<a>'.repeat(300_000),
    'wide.xml': `<a ${Array.from({ length: 100_000 }, (_, i) => `b${i}="c"`).join(' ')}/>`,
    'laughs.xml': laughs,
    'deep.yaml': deep,
    'block.yaml': '- '.repeat(400_000),
    'indent.yaml': Array.from({ length: 1400 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
    'aliases.yaml': Array.from({ length: 30 }, (_, i) => `a${i}: &a${i} [*a${i - 1}, *a${i - 1}]\n`).join(''),
    'anchors.yaml': '&a &a '.repeat(25_000),
    'quotes.csv': '"'.repeat(1_000_001),
    'header.eml': 'a'.repeat(1_000_000),
    'fields.eml': 'a:\n'.repeat(300_000),
    'tags.html': '<'.repeat(1_000_000),
    'names.pdf': `%PDF-1.7\n1 0 obj <<${'/a<<'.repeat(200_000)}\nstartxref\n9\n%%EOF`,
    'ring.pdf': '%PDF-1.7\nxref\n0 0\ntrailer <</Prev 9>>\nstartxref\n9\n%%EOF',
    'parts.png': Buffer.concat([
      Buffer.from('89504e470d0a1a0a0000000049484452', 'hex'),
      Buffer.alloc(1_000_000),
    ]),
    'marks.jpg': Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(1_000_000, 0xff)]),
    'ring.tiff': pages,
    'spaces.txt': ' '.repeat(1_000_000),
    'handlers.html': '<p> onabc= '.repeat(100_000),
    'calls.csv': 'E('.repeat(500_000),
    'bars.csv': `a,b\n${'-a|'.repeat(300_000)}`,
    'fields.rtf': `{\\rtf1${'\\fldinst x'.repeat(100_000)}`,
    'objects.rtf': `{\\rtf1${'{\\objdata{'.repeat(90_000)}`,
    'parts.eml': `From: a\nTo: b\n\n${'--x\nContent-Type: a/b; name="c\n\n'.repeat(30_000)}`,
    'fields.docx': openXml('docx', {
      'word/document.xml': '<w:instrText>'.repeat(80_000),
      'word/_rels/a.rels': '<Relationship "'.repeat(70_000),
    }),
    SHA256SUMS: `${'0'.repeat(64)} ${' '.repeat(500_000)}x\n`,
    'x.sha256': '('.repeat(1_000_000),
  }
  const slow: string[] = []
  for (const [name, content] of Object.entries(hostile)) {
    const started = process.cpuUsage()
    await check({ [name]: content })
    const { user, system } = process.cpuUsage(started)
    if (user + system > 2_500_000) slow.push(`${name} took ${(user + system) / 1e6} s of processor time`)
  }
  assert.deepEqual(slow, [])
})

test('UTF-8 is detected like TextDecoder does, whatever the size of the chunks', () => {
  const roll = dice(11)
  for (let round = 0; round < 2000; round++) {
    const bytes = mutate(Buffer.from('plain text, ünïcödé, 日本語, 🙂 and more plain text after it'), roll)
    const text = new TextDetector()
    for (let at = 0; at < bytes.length;) {
      const next = at === 0 ? 3 : at + 1 + roll(5)
      text.push(bytes.subarray(at, next))
      at = next
    }
    const encoding = text.end(false)
    if (encoding !== undefined && !encoding.startsWith('utf-16')) {
      assert.equal(encoding === 'utf-8', isUtf8(bytes), bytes.toString('hex'))
    }
  }
})

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

test('a source that reuses its buffer for every read gives the same result', async () => {
  const noise = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * index) % 251))
  const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join('')
  const log = Buffer.from(noise.toString('hex'))
  log.write(eicar, 1024 * 1024 - 20)
  const nested = zipOfEntries(stored('a.zip', zipOfEntries(stored('b.log', log), stored('c.exe', 'x'))))
  const archive = zipOfEntries(stored('n.zip', nested), deflated('d.log', log), stored('e.pdf', pdf()))
  const shared = Buffer.alloc(8 * 1024 * 1024)
  const source = {
    sizeBytes: archive.length,
    read: (offset: number, length: number) => {
      shared.fill(0xaa)
      const copied = Buffer.from(archive).copy(shared, 0, offset, offset + length)
      return shared.subarray(0, copied)
    },
  }
  const { blockers } = await checkFiles(memoryPlatform(nodeHost), {
    files: [{ name: 'e.zip', source }],
    now: NOW,
  })
  assert.deepEqual(blockers, (await check({ 'e.zip': archive })).blockers)
  assert.deepEqual(
    blockers.map(({ code }) => code),
    // In d.log, in b.log, and in the two archives that store b.log uncompressed.
    ['test_virus', 'test_virus', 'test_virus', 'test_virus', 'executable_content'],
  )
})

test('the rules use web standards only, no Node modules', () => {
  const folder = import.meta.dirname
  for (const file of globSync('**/*.ts', { cwd: folder })) {
    if (file.endsWith('.test.ts')) continue
    const text = readFileSync(join(folder, file), 'utf8')
    assert.ok(!/from '(?:node:|@kitseal\/kit\/node)|\bBuffer\.|\bprocess\./.test(text), file)
  }
})
