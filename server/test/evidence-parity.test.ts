import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { NO_TRUST, webHost } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { checkFiles, memoryPlatform, type Platform } from '@kitseal/evidence'
import { zlibInflate } from '@kitseal/evidence/node'
import { scratchFolder } from '../../cli/src/scratch-folder.ts'
import {
  bytesOf,
  type Contents,
  openDocument,
  openXml,
  pdf,
  png,
  zipOf,
} from '../../evidence/test/evidence-samples.ts'
import { sampleIssuer, unpacked } from '../../evidence/test/sample-kits.ts'
import { evidenceStore, NOW } from './evidence-store.ts'

const issuer = sampleIssuer('https://issuer.example')
const trust = { ...NO_TRUST, keySets: [issuer.keySet] }
const policy = { evidence: 'open', classes: { malformed_csv: 'damage' } } as const
const EXE = Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(100)])

let store: Awaited<ReturnType<typeof evidenceStore>>
before(async () => {
  store = await evidenceStore()
})
after(() => store[Symbol.asyncDispose]())

/** One of each kind of finding that depends on how files are read, hashed, inflated or stored. */
async function files(): Promise<Contents> {
  const large = 'a,b\n1,2\n'.repeat(200_000)
  const kit = await issuer.seal({ 'users.csv': 'name\nAda\n' })
  const altered = Buffer.from(kit)
  altered.write('Eve', altered.indexOf('Ada'))
  const inner = zipOf({ 'a.pdf': pdf().subarray(0, 200), 'run.exe': EXE, 'large.csv': large })
  return {
    'a.pdf': pdf(),
    'b.pdf': pdf().subarray(0, 100),
    'c.png': png(),
    'd.png': png().subarray(0, 40),
    'e.docx': openXml('docx'),
    'f.docx': openXml('docx', { 'word/vbaProject.bin': 'x' }),
    'g.odt': openDocument('text'),
    'h.json': '{"a":',
    'i.csv': 'a,b\n1,2,3\n',
    'j.log.gz': Buffer.concat([gzipSync('one\n'), gzipSync(large)]),
    'k.gz': gzipSync(large).subarray(0, -20),
    'l.zip': zipOf({ 'inner.zip': inner, SHA256SUMS: `${'0'.repeat(64)}  a.txt\n`, 'a.txt': 'a' }),
    'm.env': 'AWS_KEY=AKIAIOSFODNN7EXAMPLQ\n',
    'n.exe': EXE,
    'o.bin': Buffer.alloc(3_000_000, 0x81),
    'p.json': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{"a":1}', 'utf16le')]),
    'q.zip': kit,
    'r.zip': altered,
    's.zip': Buffer.concat([zipOf({ 'a2.txt': 'a' }), bytesOf('tail of another kind')]),
    ...(await unpacked(kit, 't')),
  }
}

test('command line, browser and service find the same in the same files', async () => {
  const given = await files()
  const service = await store.examine(given, { trust, policy })
  assert.ok(service.findings.length > 15)
  using scratch = scratchFolder()
  const platforms: Readonly<Record<string, Platform>> = {
    'command line': { host: nodeHost, inflate: zlibInflate, store: scratch.store },
    browser: memoryPlatform(webHost),
  }
  for (const [name, platform] of Object.entries(platforms)) {
    const order = Object.entries(given).map(([path, content]) => {
      const bytes = typeof content === 'string' ? bytesOf(content) : content
      return {
        name: path,
        source: { sizeBytes: bytes.length, read: (at: number, n: number) => bytes.subarray(at, at + n) },
      }
    })
    const { findings } = await checkFiles(platform, { files: order, now: NOW, trust, policy })
    assert.deepEqual(findings, service.findings, name)
  }
})
