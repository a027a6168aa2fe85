import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Contents, jpeg } from '../test/evidence-samples.ts'
import { examine, noticed } from '../test/examine.ts'
import { MAIL_HEADER } from '../test/mail-samples.ts'

const found = async (files: Contents): Promise<readonly string[]> => noticed(await examine(files))
const active = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `notice active_content ${name}`)

const page = (meta: string): string => `<!doctype html><html><head>${meta}</head><p>text</p></html>`

test('a page that opens another one elsewhere by itself has a notice, one that stays does not', async () => {
  assert.deepEqual(
    await found({
      'a.html': page('<meta http-equiv="refresh" content="0; url=https://example.com/">'),
      'b.html': page("<META CONTENT='0;URL=//example.com' HTTP-EQUIV='Refresh'>"),
      'c.html': page('<meta http-equiv=refresh content="5; URL=\'file:///c:/x.hta\'">'),
      'd.eml': `${MAIL_HEADER}Content-Type: text/html\r\n\r\n<meta http-equiv="refresh" content="0;url=http://x">\r\n`,
      'e.html': page('<meta http-equiv="refresh" content="0; url=en/index.html">'),
      'f.html': page('<meta http-equiv="refresh" content="300">'),
      'g.html': page(
        '<meta http-equiv="content-type" content="text/html"><meta name="x" content="url=https://example.com">',
      ),
    }),
    active('a.html', 'b.html', 'c.html', 'd.eml/part 1.html'),
  )
})

test('a text that browsers show as a page has a notice if it runs something, whatever its extension', async () => {
  assert.deepEqual(
    await found({
      'a.txt': '<!DOCTYPE html><html><script>x()</script></html>',
      'b.log': '\ufeff\n <html><body onload="x()">',
      'c.txt': '<script>x()</script>',
      noending: '<html><iframe src="http://x"></iframe></html>',
      'd.txt': '<!doctype html><p>text</p>',
      'e.txt': 'The page starts with <html> and <script>x()</script> follows.',
      'f.md': '# Title\n\n<script>x()</script>\n',
      'g.txt': '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>',
    }),
    active('a.txt', 'b.log', 'c.txt', 'f.md', 'g.txt', 'noending'),
  )
})

const calendar = (...lines: readonly string[]): string =>
  `${['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n')}\r\n`

const folded = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll(/.{60}/g, '$&\r\n ')

test('files in events and contacts are examined', async () => {
  const program = Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(9000)])
  const attached = 'ATTACH;ENCODING=BASE64;VALUE=BINARY;X-FILENAME='
  const filler = 'DESCRIPTION:text\r\n'.repeat(70_000)
  assert.deepEqual(
    await found({
      'a.ics': calendar(`${attached}"a.txt":${folded(program)}`),
      'b.ics': calendar(filler, `${attached}b.txt:${folded(program)}`, 'SUMMARY:x'),
      'c.vcf': `BEGIN:VCARD\r\nVERSION:4.0\r\nKEY:data:application/x;base64,${folded(program)}\r\nEND:VCARD\r\n`,
      'd.vcf': `BEGIN:VCARD\r\nVERSION:3.0\r\nPHOTO;ENCODING=b;TYPE=JPEG:${folded(jpeg())}\r\nEND:VCARD\r\n`,
      'e.ics': calendar(`${attached}e.txt:${folded(Buffer.from('text'))}`),
    }),
    ['a.ics', 'b.ics', 'c.vcf'].map((name) => `danger executable_content ${name}/link 1`),
  )
})
