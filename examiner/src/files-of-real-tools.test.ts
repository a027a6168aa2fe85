import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { archiveBytes, extraField, storedEntry, u32 } from '../../test/forge/archive.ts'
import {
  bytesOf,
  type Contents,
  deflated,
  openXml,
  pdf,
  stored,
  zipOf,
  zipOfEntries,
} from '../test/evidence-samples.ts'
import { examine, noticed } from '../test/examine.ts'
import { tempFolder } from '../test/temp-folder.ts'
import { needs } from '../../test/kit/needs.ts'

const folder = tempFolder()
const inFolder = (name: string): string => join(folder, name)
const found = async (files: Contents): Promise<readonly string[]> => noticed(await examine(files))
const named = (name: Uint8Array, more: object = {}) => {
  const entry = stored('x.txt', 'content\n')
  return {
    ...entry,
    header: { ...entry.header, name, flags: 0, ...more },
    central: { madeBy: 0x0014, externalAttributes: 0 },
  }
}

test('a DOS time that differs between the two headers is accepted (.NET)', async () => {
  const entry = deflated('a.txt', 'text')
  assert.deepEqual(
    await found({ 'e.zip': zipOfEntries({ ...entry, local: { time: 0x1234, date: 0x5555 } }) }),
    [],
  )
})

test('a zip64 field of zeros, or with the same sizes, next to real sizes is accepted (Numbers, Pages); another is not', async () => {
  const entry = stored('Index/Document.iwa', 'content')
  const withField = (field: Uint8Array) =>
    zipOfEntries({ ...entry, local: { extra: extraField(0x0001, field) } })
  assert.deepEqual(await found({ 'a.numbers': withField(Buffer.alloc(16)) }), [])
  assert.deepEqual(await found({ 'a.pages': withField(Buffer.concat([u32(7, 0), u32(7, 0)])) }), [])
  assert.deepEqual(await found({ 'a.zip': withField(Buffer.concat([u32(9, 0), u32(7, 0)])) }), [
    'danger unreadable_archive a.zip/Index/Document.iwa',
  ])
})

test('names in a code page of DOS are decoded, with a notice', async () => {
  const german = Buffer.from('Pr\x81fbericht gr\x94\xe1e.txt', 'latin1')
  const { findings, files } = await examine({ 'e.zip': zipOfEntries(named(german)) })
  assert.deepEqual(noticed({ findings }), ['notice name_decoded e.zip/Prüfbericht größe.txt'])
  assert.deepEqual(
    files.map(({ path }) => path),
    ['data/Prüfbericht größe.txt'],
  )
  // ø in CP850, ¢ in CP437.
  assert.deepEqual(await found({ 'e.zip': zipOfEntries(named(Buffer.from('br\x9bd.txt', 'latin1'))) }), [
    'notice name_decoded e.zip/brød.txt',
  ])
})

const unicodePath = (raw: Uint8Array, name: string): Uint8Array =>
  extraField(0x7075, Buffer.concat([Buffer.from([1]), u32(crc32(raw)), bytesOf(name)]))

test('the Unicode Path field names an entry if it fits the name in the header (7-Zip, WinZip)', async () => {
  const raw = Buffer.from('br\x9bd/\x8fr.txt', 'latin1')
  const entry = (name: string, header = raw) => named(header, { extra: unicodePath(header, name) })
  const { findings, files } = await examine({ 'e.zip': zipOfEntries(entry('brød/år.txt')) })
  assert.deepEqual(noticed({ findings }), ['notice name_decoded e.zip/brød/år.txt'])
  assert.equal(files[0]?.path, 'data/brød/år.txt')
  for (const other of ['brød/år.exe', 'år.txt', '../../år.txt']) {
    const [first] = await found({ 'e.zip': zipOfEntries(entry(other)) })
    assert.match(first ?? '', /^danger name_/, other)
  }
  const plain = Buffer.from('a.txt')
  assert.match(
    (await found({ 'e.zip': zipOfEntries(entry('b.txt', plain)) }))[0] ?? '',
    /^danger name_not_unicode/,
  )
})

test('a newline behind an Office file or an archive is accepted; anything else is not', async () => {
  const docx = openXml('docx')
  assert.deepEqual(
    await found({
      'a.docx': Buffer.concat([docx, Buffer.from('\r\n')]),
      'b.zip': Buffer.concat([zipOf({ 'a.txt': 'a' }), Buffer.from('\n')]),
    }),
    [],
  )
  assert.deepEqual(await found({ 'a.docx': Buffer.concat([docx, Buffer.from('x\n')]) }), [
    'damage irregular_archive a.docx',
  ])
})

test('a small archive may unpack to any multiple of its size; above 10 MiB the ratio counts', async () => {
  assert.deepEqual(await found({ 'e.zip': zipOf({ 'blank.txt': ' '.repeat(9_000_000) }) }), [])
  assert.deepEqual(await found({ 'e.zip': zipOf({ 'blank.txt': ' '.repeat(11_000_000) }) }), [
    'danger archive_ratio e.zip',
  ])
})

test('a folder that ends in a dot, and names that Windows cannot store, are notices', async () => {
  const { findings, files } = await examine({
    'e.zip': zipOf({ 'Acme Inc./': '', 'Acme Inc./report.txt': 'a', 'why?.png': 'b', '10:00.txt': 'c' }),
  })
  assert.deepEqual(noticed({ findings }), [
    'notice name_unportable e.zip/10:00.txt',
    'notice name_changed e.zip/Acme Inc./',
    'notice name_changed e.zip/Acme Inc./report.txt',
    'notice name_unportable e.zip/why?.png',
    'notice type_mismatch e.zip/why?.png',
  ])
  assert.deepEqual(
    files.map(({ path }) => path),
    ['data/10:00.txt', 'data/Acme Inc/report.txt', 'data/why?.png'],
  )
  assert.deepEqual(await found({ 'e.zip': zipOf({ 'a./x.txt': '1', 'a/x.txt': '2' }) }), [
    'danger name_collision e.zip/a/x.txt',
    'notice name_changed e.zip/a./x.txt',
  ])
  assert.deepEqual(await found({ 'e.zip': zipOf({ 'a/. ./x.txt': '1', 'c:x.txt': '2', 'run.exe.': '3' }) }), [
    'danger name_forbidden e.zip/a/. ./x.txt',
    'danger name_absolute e.zip/c:x.txt',
    'danger executable_content e.zip/run.exe.',
    'danger name_forbidden e.zip/run.exe.',
  ])
})

test('UTF-16 JSON, several JSON values and Windows event exports without a root are accepted', async () => {
  assert.deepEqual(
    await found({
      'a.json': Buffer.from('\ufeff{"a": "ü"}\r\n', 'utf16le'),
      'b.json': '{"a": 1}\n{"a": 2}\n',
      'c.json': '{\n  "a": 1\n}\n{\n  "a": 2\n}\n',
      'd.json': Buffer.from('\ufeff{"a": ', 'utf16le'),
      'e.xml': '<Event><a/></Event>\n<Event><a/></Event>\n',
    }),
    [],
  )
})

test('entities are accepted if they only name files that are not XML, or are short texts', async () => {
  const laughs = '<!DOCTYPE html [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]><html>&b;</html>'
  const figure =
    '<!NOTATION gif SYSTEM "gif"><!ENTITY f SYSTEM "a.gif" NDATA gif><!ENTITY g PUBLIC "p" "b.gif" NDATA gif>'
  const long = `<!DOCTYPE a [<!ENTITY b "${'x'.repeat(999)}">]><a>${'&b;'.repeat(30_000)}</a>`
  assert.deepEqual(
    await found({
      'a.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a/>',
      'b.svg.xml': '<!DOCTYPE svg PUBLIC "x" "y" [<!ENTITY ns "http://a/">]><svg xmlns:x="&ns;">&ns;</svg>',
      'c.xml': `<!DOCTYPE a [${figure}<!-- <!ENTITY x SYSTEM "y"> --><!ENTITY b 'c > d &#xa0;'>]><a f="f">&b;&b;</a>`,
      'd.xml': laughs,
      'e.xml': '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><html>&x;</html>',
      'f.xml': '<!DOCTYPE a [<!ENTITY % p SYSTEM "http://x/"> %p;]><a/>',
      'g.xml': `<!DOCTYPE a [${figure}<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>`,
      'h.xml': long,
      'i.xml': '<!DOCTYPE a [<!ENTITY b "&#60;script&#x3e;">]><a>&b;</a>',
      'j.xml': '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY b SYSTEM "http://x/">]><a>&b;</a>',
      'k.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&c;</a>',
    }),
    ['d', 'e', 'f', 'g', 'h', 'i', 'j'].map((name) => `danger xml_entities ${name}.xml`),
  )
})

test('a PDF with blanks before its table, or with a wrong offset, is accepted', async () => {
  const text = Buffer.from(pdf()).toString('latin1')
  const at = text.lastIndexOf('xref\n0')
  const spaced = text.slice(0, at) + ' '.repeat(300) + text.slice(at)
  const wrong = text.replace(/startxref\n\d+/, 'startxref\n7')
  const locked = Buffer.from(pdf('/Encrypt 9 0 R'))
    .toString('latin1')
    .replace(/startxref\n\d+/, 'startxref\n7')
  assert.deepEqual(
    await found({
      'a.pdf': Buffer.from(spaced, 'latin1'),
      'b.pdf': Buffer.from(wrong, 'latin1'),
      'c.pdf': Buffer.from(locked, 'latin1'),
      'd.pdf': Buffer.from(wrong.replace('/Root', '/Boot'), 'latin1'),
    }),
    ['damage encrypted_pdf c.pdf'],
  )
})

test(
  'a PDF that only restricts printing is accepted and marked; one with a password is damage',
  needs('qpdf'),
  async () => {
    writeFileSync(inFolder('in.pdf'), pdf())
    const files: Record<string, Uint8Array> = {}
    for (const bits of ['40', '128', '256'])
      for (const [kind, password] of [
        ['open', ''],
        ['locked', 'secret'],
      ] as const) {
        const weak = bits === '256' ? [] : ['--allow-weak-crypto']
        execFileSync('qpdf', [
          ...weak,
          '--encrypt',
          password,
          'owner',
          bits,
          '--',
          inFolder('in.pdf'),
          inFolder('out.pdf'),
        ])
        files[`${bits}-${kind}.pdf`] = readFileSync(inFolder('out.pdf'))
      }
    assert.deepEqual(await found(files), [
      'damage encrypted_pdf 128-locked.pdf',
      'damage encrypted_pdf 256-locked.pdf',
      'damage encrypted_pdf 40-locked.pdf',
      'notice partly_examined 128-open.pdf',
      'notice partly_examined 256-open.pdf',
      'notice partly_examined 40-open.pdf',
    ])
  },
)

test('a kit stays strict: what is tolerated in evidence is not in kits', async () => {
  const { readZipDirectory } = await import('@kitseal/kit/internal')
  const zip = archiveBytes({ entries: [storedEntry('a.txt', bytesOf('a'))], suffix: Buffer.from('\n') })
  const source = {
    sizeBytes: zip.length,
    read: (at: number, length: number) => zip.subarray(at, at + length),
  }
  await assert.rejects(readZipDirectory(source), /extra bytes after the end record/)
})

test('content that zip read from a pipe is a file; a pipe without content is not (zip -)', async () => {
  const central = { madeBy: 0x031e, externalAttributes: (0o010600 << 16) >>> 0 }
  assert.deepEqual(await found({ 'e.zip': zipOfEntries({ ...deflated('-', 'text\n'), central }) }), [])
  assert.deepEqual(await found({ 'e.zip': zipOfEntries({ ...stored('p', ''), central }) }), [
    'danger special_file e.zip/p',
  ])
})

test('a detached signature is one, also if its bytes are all printable', async () => {
  const raw = Uint8Array.from({ length: 64 }, (_, index) => 33 + index)
  const latin = Uint8Array.from({ length: 64 }, (_, index) => 160 + index)
  const base64 = Buffer.from(latin).toString('base64')
  for (const content of [raw, latin, bytesOf(base64)]) {
    const { files, blockers } = await examine({ 'a.txt.sig': content })
    assert.deepEqual(blockers, [])
    assert.match(files[0]?.type.title ?? '', /signature/)
  }
})
