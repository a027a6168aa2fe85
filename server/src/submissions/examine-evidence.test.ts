import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { canonicalJson } from '@kitseal/kit/internal'
import type { Entry } from '../../../test/forge/archive.ts'
import {
  bytesOf,
  type Contents,
  deflated,
  openXml,
  pdf,
  png,
  stored,
  zipOf,
  zipOfEntries,
} from '../../../examiner/test/evidence-samples.ts'
import { codes, evidenceStore } from '../../test/evidence-store.ts'
import type { Examination } from './examine-evidence.ts'
import { DEFAULT_LIMITS } from '../../../examiner/src/limits.ts'
import { needs, type Tool } from '../../../test/kit/needs.ts'

let store: Awaited<ReturnType<typeof evidenceStore>>
before(async () => void (store = await evidenceStore()))
after(() => store[Symbol.asyncDispose]())

const FILES: Contents = {
  'dir/a.txt': 'hello\n',
  'dir/grüße 日本.txt': 'grüße\n',
  'dir/sub/report.pdf': pdf(),
  'dir/sub/pic.png': png(),
  'dir/sub/long.log': randomBytes(3_000_000).toString('base64'),
}

/** Reads the examined files back from the object store. */
async function contents({ files }: Examination): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { path, object, offset, sizeBytes, sha256, crc32: sum } of files) {
    const parts: Uint8Array[] = []
    for await (const chunk of store.objects.read(object, offset, offset + sizeBytes)) parts.push(chunk)
    const bytes = Buffer.concat(parts)
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, path)
    assert.equal(crc32(bytes), sum, path)
    found[path] = bytes.toString('latin1')
  }
  return found
}

const latin1 = (content: string | Uint8Array): string => Buffer.from(content as Uint8Array).toString('latin1')

function expected(files: Contents): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [`data/${name}`, latin1(content)]))
}

function onDisk(folder: string): string {
  const root = join(store.folder, folder)
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return root
}

const PYTHON = `
import sys, zipfile, os
mode, out, root = sys.argv[1:4]
class Pipe:
    def __init__(self, f): self.f = f
    def write(self, b): return self.f.write(b)
    def flush(self): self.f.flush()
target = Pipe(open(out, 'wb')) if mode == 'stream' else out
with zipfile.ZipFile(target, 'w', zipfile.ZIP_STORED if mode == 'stored' else zipfile.ZIP_DEFLATED) as z:
    for folder, _, files in sorted(os.walk(root)):
        for name in sorted(files):
            path = os.path.join(folder, name)
            z.write(path, os.path.relpath(path, root))
`

const TOOLS: readonly {
  readonly name: string
  readonly tool: Tool
  readonly pack: (out: string, root: string) => void
}[] = [
  {
    name: 'Info-ZIP',
    tool: 'zip',
    pack: (out, cwd) => void execFileSync('zip', ['-qr', out, 'dir'], { cwd }),
  },
  {
    name: 'Info-ZIP, stored',
    tool: 'zip',
    pack: (out, cwd) => void execFileSync('zip', ['-qr0', out, 'dir'], { cwd }),
  },
  {
    name: 'Info-ZIP, streamed',
    tool: 'zip',
    pack: (out, cwd) =>
      writeFileSync(out, execFileSync('sh', ['-c', 'zip -qr - dir | cat'], { cwd, maxBuffer: 1e9 })),
  },
  {
    name: '7-Zip',
    tool: '7z',
    pack: (out, cwd) => void execFileSync('7z', ['a', '-tzip', out, 'dir'], { cwd }),
  },
  {
    name: 'Python',
    tool: 'python3',
    pack: (out, root) => void execFileSync('python3', ['-c', PYTHON, 'file', out, root]),
  },
  {
    name: 'Python, stored',
    tool: 'python3',
    pack: (out, root) => void execFileSync('python3', ['-c', PYTHON, 'stored', out, root]),
  },
  {
    name: 'Python, streamed',
    tool: 'python3',
    pack: (out, root) => void execFileSync('python3', ['-c', PYTHON, 'stream', out, root]),
  },
  {
    name: 'Java',
    tool: 'jar',
    // In a locale without UTF-8, Java finds no file with another name.
    pack: (out, cwd) =>
      void execFileSync('jar', ['cMf', out, 'dir'], { cwd, env: { ...process.env, LC_ALL: 'C.UTF-8' } }),
  },
]

for (const { name, tool, pack } of TOOLS) {
  test(`an archive by ${name} is unpacked byte for byte`, needs(tool), async () => {
    const folder = name.replace(/\W+/g, '-')
    const root = onDisk(folder)
    const out = join(store.folder, `${folder}.zip`)
    pack(out, root)
    const examination = await store.examine({ 'evidence.zip': readFileSync(out) })
    assert.deepEqual(codes(examination), [])
    assert.deepEqual(await contents(examination), expected(FILES))
  })
}

function macEntry(path: string, content: string): Entry {
  const created = deflated(path, content)
  const { crc32: sum, compressedBytes, sizeBytes } = created.header
  const descriptor = Buffer.alloc(16)
  for (const [index, value] of [0x08074b50, sum, compressedBytes, sizeBytes].entries())
    descriptor.writeUInt32LE(value, index * 4)
  return {
    ...created,
    header: { ...created.header, flags: 8 },
    local: { crc32: 0, compressedBytes: 0, sizeBytes: 0 },
    central: { madeBy: 0x0315 },
    after: descriptor,
  }
}

test('a macOS archive is accepted: data descriptors, unmarked names in form D, system files left out', async () => {
  const zip = zipOfEntries(
    macEntry('Grüße.txt'.normalize('NFD'), 'hello'),
    macEntry('__MACOSX/._Grüße.txt'.normalize('NFD'), '\0\x05\x16\x07'),
    macEntry('.DS_Store', '\0\0\0\x01Bud1'),
  )
  const examination = await store.examine({ 'e.zip': zip })
  assert.deepEqual(codes(examination), [])
  assert.deepEqual(Object.keys(await contents(examination)), ['data/Grüße.txt'.normalize('NFC')])
  const report = examination.intakeReport as { left_out: { path: string }[] }
  assert.deepEqual(
    report.left_out.map(({ path }) => path.normalize('NFC')),
    ['e.zip/__MACOSX/._Grüße.txt', 'e.zip/.DS_Store'],
  )
})

test('system files are left out, but path traversal in their names is still a blocker', async () => {
  const systemFiles = [
    'Thumbs.db',
    'a/desktop.ini',
    'a/~$plan.docx',
    'a/.~lock.plan.odt#',
    'a/Icon\r',
    '__MACOSX/x',
  ]
  const files = Object.fromEntries(['a.txt', ...systemFiles, '__MACOSX/../../b'].map((name) => [name, '\0']))
  const examination = await store.examine({ 'e.zip': zipOf({ ...files, 'a.txt': 'a' }) })
  assert.deepEqual(codes(examination), ['name_traversal e.zip/__MACOSX/../../b'])
  const report = examination.intakeReport as { left_out: { path: string }[] }
  assert.equal(report.left_out.length, systemFiles.length + 1)
})

test('names with backslashes are blockers, and the remedy names the tools that write them', async () => {
  const examination = await store.examine({ 'e.zip': zipOf({ 'dir\\a.txt': 'a', '..\\b.txt': 'b' }) })
  assert.deepEqual(codes(examination), ['name_traversal e.zip/..\\b.txt', 'name_backslash e.zip/dir\\a.txt'])
  assert.match(examination.blockers[1]?.remedy ?? '', /Compress-Archive/)
})

test('loose files and archives go into one kit, each file under its own name', async () => {
  const examination = await store.examine({
    'a.txt': 'loose',
    'e.zip': zipOf({ 'top/b.txt': 'packed' }),
    'f.zip': zipOfEntries(stored('top/c.txt', 'stored')),
  })
  assert.deepEqual(codes(examination), [])
  assert.deepEqual(
    examination.files.map(({ path, from }) => `${path} from ${from}`),
    ['data/a.txt from a.txt', 'data/e/top/b.txt from e.zip', 'data/f/top/c.txt from f.zip'],
  )
  await contents(examination)
})

test('stored entries stay in the upload; nothing is written', async () => {
  const zip = zipOfEntries(stored('a.txt', 'one'), stored('b/c.txt', 'two'))
  const examination = await store.examine({ 'e.zip': zip })
  assert.equal(examination.pack, undefined)
  assert.deepEqual(await contents(examination), { 'data/a.txt': 'one', 'data/b/c.txt': 'two' })
})

test('an uploaded file that is also embedded in another is not deleted with the temporary copy', async () => {
  const archive = zipOfEntries(stored('t.txt', randomBytes(200_000).toString('base64')))
  const examination = await store.examine({
    'a.docx': openXml('docx', { 'word/embeddings/o.zip': archive }),
    'e.zip': zipOf({ 'n.zip': zipOf({ 'o.zip': archive }) }),
    'same.zip': archive,
  })
  assert.deepEqual(codes(examination), [])
  const object = examination.files.find(({ path }) => path === 'data/same/t.txt')?.object ?? ''
  assert.notEqual(await store.objects.inspect(object), undefined)
})

test('unpacked content is deleted if there are blockers', async () => {
  await using own = await evidenceStore()
  const objects = (): number =>
    readdirSync(join(own.folder, 'objects'), { recursive: true, withFileTypes: true }).filter((item) =>
      item.isFile(),
    ).length
  const { blockers, files, pack } = await own.examine({ 'e.zip': zipOf({ 'a.txt': 'fine', 'b.exe': 'not' }) })
  assert.equal(blockers.length, 1)
  assert.deepEqual([files, pack], [[], undefined])
  assert.equal(objects(), 1)
})

test('all blockers are listed at once, sorted by path, each with a remedy', async () => {
  const { blockers, findings } = await store.examine({
    'z.exe': 'x',
    'a.zip': zipOf({ 'q.js': '1', 'b.sh': '#!/bin/sh', '/abs.txt': 'a', 'c/../d.txt': 'b' }),
    'm.pdf': '%PDF-',
  })
  assert.deepEqual(codes({ blockers }), [
    'name_absolute a.zip//abs.txt',
    'name_traversal a.zip/c/../d.txt',
    'malformed_pdf m.pdf',
    'executable_content z.exe',
  ])
  assert.deepEqual(codes({ blockers: findings }).slice(blockers.length), [
    'script_content a.zip/b.sh',
    'script_content a.zip/q.js',
  ])
  for (const { message, remedy } of blockers) assert.ok(message.endsWith('.') && remedy.endsWith('.'))
})

test('the same evidence gives the same result, byte for byte', async () => {
  const files = { 'e.zip': zipOf({ ...FILES, 'bad.json': '{', 'B.txt': '1', 'b.TXT': '2' }), 'x.txt': 'x' }
  const once = await store.examine(files)
  const again = await store.examine(files)
  assert.deepEqual(once, again)
  assert.equal(canonicalJson(once.intakeReport), canonicalJson(again.intakeReport))
  assert.equal(canonicalJson(once.classificationReport), canonicalJson(again.classificationReport))
})

test('a long list of blockers is truncated, and the last one says how many are missing', async () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.exe`, 'x']))
  const { blockers } = await store.examine(
    { 'e.zip': zipOf(many) },
    { limits: { ...DEFAULT_LIMITS, blockers: 10 } },
  )
  assert.equal(blockers.length, 10)
  assert.equal(blockers[9]?.code, 'more_blockers')
  assert.match(blockers[9]?.message ?? '', /31 more/)
})

test('no files, an empty archive and an archive of folders are blockers', async () => {
  assert.deepEqual(codes(await store.examine({})), ['empty_submission '])
  assert.deepEqual(codes(await store.examine({ 'e.zip': zipOf({}) })), ['empty_archive e.zip'])
  assert.deepEqual(codes(await store.examine({ 'e.zip': zipOf({ 'a/': '', 'a/b/': '' }) })), [
    'empty_archive e.zip',
  ])
  const { blockers } = await store.examine({ 'e.zip': zipOf({ 'a/desktop.ini': 'x' }) })
  assert.match(blockers[0]?.message ?? '', /^The archive contains no files\. It only contains system files/)
})

test('files with the same name are a blocker, within an archive and across uploads', async () => {
  const sameNames = { 'A.txt': '1', 'a.TXT': '2', 'ä.txt': '3', 'a\u0308.txt': '4', 'd/x.txt': '5', d: '6' }
  assert.deepEqual(codes(await store.examine({ 'e.zip': zipOf(sameNames) })), [
    'name_collision e.zip/a.TXT',
    'name_collision e.zip/a\u0308.txt',
    'name_collision e.zip/d',
  ])
  const across = await store.examine({
    'e/a.txt': '1',
    'e.zip': zipOf({ 'a.txt': '2' }),
    'E.zip': zipOf({ 'A.txt': '3' }),
  })
  assert.deepEqual(codes(across), ['name_collision E.zip/A.txt', 'name_collision e.zip/a.txt'])
})

test('invalid names are blockers, shown without control characters', async () => {
  const names = [
    'con.txt',
    'a\u0007.txt',
    'b ./c.txt',
    'd\u202egpj.txt',
    `${'x'.repeat(300)}.txt`,
    'C:/e.txt',
  ]
  const { blockers, findings } = await store.examine({
    'e.zip': zipOf(Object.fromEntries(names.map((name) => [name, 'x']))),
  })
  assert.deepEqual(
    blockers.map(({ code }) => code),
    ['name_absolute', 'name_forbidden', 'name_forbidden', 'name_direction', 'name_forbidden'],
  )
  assert.ok(blockers.every(({ path }) => !/\p{Cc}/u.test(path ?? '')))
  assert.ok(findings.some(({ code, path }) => code === 'name_changed' && path === 'e.zip/b ./c.txt'))
})

test('the EICAR string is found in text, across chunks, in nested archives and in Office files', async () => {
  const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join('')
  const noise = randomBytes(1024 * 1024).toString('base64')
  const far = noise.slice(0, 1024 * 1024 - 30) + eicar + noise
  const found = await store.examine({
    'a.txt': eicar,
    'b.log': far,
    'c.zip': zipOf({ 'd.log': far, 'e.zip': zipOf({ 'f.zip': zipOf({ 'g.txt': eicar }) }) }),
    'h.docx': openXml('docx', { 'word/media/image1.bin': eicar }),
  })
  assert.deepEqual(codes(found), [
    'test_virus a.txt',
    'test_virus b.log',
    'test_virus c.zip/d.log',
    'test_virus c.zip/e.zip/f.zip/g.txt',
    'test_virus h.docx/word/media/image1.bin',
  ])
})

test('the reports list the type of each file, how it was detected, and notes', async () => {
  const { classificationReport, intakeReport } = await store.examine({
    'page.html': bytesOf('<html><script>1</script></html>'),
    'e.zip': zipOf({ 'inner.zip': zipOf({ 'a.txt': 'a' }), 'ragged.csv': 'a,b\n1\n' }),
  })
  const { files } = classificationReport as unknown as { files: Record<string, unknown>[] }
  assert.deepEqual(
    files.map(({ path, type, told_by, notes, inside }) => ({ path, type, told_by, notes, inside })),
    [
      {
        path: 'data/e/inner.zip',
        type: 'zip',
        told_by: 'content and ending',
        notes: [],
        inside: { files: 1, bytes: 1 },
      },
      {
        path: 'data/e/ragged.csv',
        type: 'csv',
        told_by: 'content and ending',
        notes: [],
        inside: undefined,
      },
      {
        path: 'data/page.html',
        type: 'html',
        told_by: 'content and ending',
        notes: [],
        inside: undefined,
      },
    ],
  )
  const report = intakeReport as Record<string, unknown>
  assert.equal(report['outcome'], 'PASS')
  assert.equal(report['files_recorded'], 3)
  assert.equal(report['boundary'], (classificationReport as Record<string, unknown>)['boundary'])
})
