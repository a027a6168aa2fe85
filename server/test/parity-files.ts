import { gzipSync } from 'node:zlib'
import { NO_TRUST } from '@kitseal/kit'
import {
  bytesOf,
  type Contents,
  openDocument,
  openXml,
  pdf,
  png,
  zipOf,
} from '../../examiner/test/evidence-samples.ts'
import { sampleIssuer, unpacked } from '../../examiner/test/sample-kits.ts'

const issuer = sampleIssuer('https://issuer.example')
export const trust = { ...NO_TRUST, keySets: [issuer.keySet] }
export const policy = { evidence: 'open', classes: { script_content: 'damage' } } as const
const EXE = Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(100)])

const message = (name: string, encoding: string, content: string): string =>
  `From: a@example.com\r\nTo: b@example.com\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\nContent-Type: x/y; name=${name}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${content}\r\n--B--\r\n`

/** One of each kind of finding that depends on how files are read, hashed, inflated or stored. */
export async function parityFiles(): Promise<Contents> {
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
    'h.sh': '#!/bin/sh\n',
    'i.csv': 'a,b\n1,2,3\n',
    'u.csv': 'a,b\n1,"2\n',
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
    'v.eml': message('a.zip', 'base64', Buffer.from(inner).toString('base64')),
    'w.eml': message(
      'b.txt',
      'quoted-printable',
      Array.from(EXE, (byte) => `=${byte.toString(16).padStart(2, '0')}`).join('=\r\n'),
    ),
    'x.xml': `<r>${'<a b="1">für &amp; wider</a>\n'.repeat(30_000)}<größe>1</größe></s>`,
    'y.yaml': `${'- a: [1, 2]\n'.repeat(100_000)}- &x 1\n`,
    'z.yaml': 'a: "b\n',
    ...(await unpacked(kit, 't')),
  }
}
