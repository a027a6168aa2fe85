import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { vbaBin } from '../test/compound-samples.ts'
import { bytesOf, type Contents, openDocument, openXml, zipOf } from '../test/evidence-samples.ts'
import { examine, noticed } from '../test/examine.ts'
import { MAIL_HEADER } from '../test/mail-samples.ts'

const found = async (files: Contents): Promise<readonly string[]> => noticed(await examine(files))
const isActive = async (name: string, content: string | Uint8Array): Promise<boolean> =>
  (await found({ [name]: content })).some((one) => one.startsWith(`notice active_content ${name}`))

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (type: string, target: string, mode = ' TargetMode="External"'): string =>
  `<?xml version="1.0"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${RELATIONS}/${type}" Target="${target}"${mode}/></Relationships>`
const word = (body: string): Contents => ({
  'word/document.xml': `<w:document xmlns:w="x"><w:body>${body}</w:body></w:document>`,
})
const field = (...runs: readonly string[]): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r>${runs.map((run) => `<w:r><w:instrText xml:space="preserve">${run}</w:instrText></w:r>`).join('')}<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>x</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')

test('Office files that fetch or run something have a notice', async () => {
  const cases: Readonly<Record<string, Uint8Array>> = {
    'template.docx': openXml('docx', {
      'word/_rels/settings.xml.rels': relations('attachedTemplate', 'https://example.com/a.dotm'),
    }),
    'unc.docx': openXml('docx', {
      'word/_rels/settings.xml.rels': relations('attachedTemplate', '\\\\server\\a.dotm'),
    }),
    'wide.docx': openXml('docx', {
      'word/_rels/settings.xml.rels': utf16(relations('attachedTemplate', 'http://x/a')),
    }),
    'coded.docx': openXml('docx', {
      'word/_rels/settings.xml.rels': relations(
        'attachedTemplate',
        'http://x/a',
        ' TargetMode="&#69;xternal"',
      ),
    }),
    'object.docx': openXml('docx', {
      'word/_rels/document.xml.rels': relations('oleObject', 'mhtml:http://x/a!y'),
    }),
    'frame.docx': openXml('docx', { 'word/_rels/webSettings.xml.rels': relations('frame', 'http://x/a') }),
    'image.pptx': openXml('pptx', {
      'ppt/slides/_rels/slide1.xml.rels': relations('image', 'file://server/a.png'),
    }),
    'link.xlsx': openXml('xlsx', {
      'xl/externalLinks/_rels/externalLink1.xml.rels': relations('externalLinkPath', 'http://x/a.xlsx'),
    }),
    'protocol.docx': openXml('docx', {
      'word/_rels/document.xml.rels': relations('hyperlink', 'ms-msdt:/id PCWDiagnostic'),
    }),
    'dde.xlsx': openXml('xlsx', {
      'xl/externalLinks/externalLink1.xml':
        '<externalLink><ddeLink ddeService="cmd" ddeTopic="/c calc"/></externalLink>',
    }),
    'dde.docx': openXml('docx', word(field('DDEAUTO c:\\\\windows\\\\cmd.exe "/k calc"'))),
    'split.docx': openXml('docx', word(field(' DD', 'E', 'AUTO', ' c:\\\\x'))),
    'coded-dde.docx': openXml('docx', word(field('&#68;DE x'))),
    'cdata.docx': openXml('docx', word(field('<![CDATA[DDE]]>', 'AUTO x'))),
    'simple.docx': openXml('docx', word('<w:fldSimple w:instr=" DDEAUTO x y "/>')),
    'header.docx': openXml('docx', { 'word/header1.xml': `<w:hdr>${field('DDEAUTO x')}</w:hdr>` }),
    'far.docx': openXml(
      'docx',
      word(`${'<w:p><w:r><w:t>text</w:t></w:r></w:p>'.repeat(60_000)}${field('DD', 'EAUTO x')}`),
    ),
    'include.docx': openXml('docx', word(field('INCLUDEPICTURE "http://x/a.png" \\d'))),
    'entity.docx': openXml('docx', {
      'word/document.xml': '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    }),
    'entity-wide.docx': openXml('docx', {
      'customXml/item1.xml': utf16('<!DOCTYPE a [<!ENTITY x "y">]><a/>'),
    }),
    'control.docx': openXml('docx', { 'word/activeX/activeX1.xml': '<ax:ocx/>' }),
    'web.xlsx': openXml('xlsx', {
      'xl/connections.xml': '<connections><connection><webPr url="http://x"/></connection></connections>',
    }),
    'action.pptx': openXml('pptx', {
      'ppt/slides/slide1.xml': '<a:hlinkClick action="ppaction://program"/>',
    }),
    'chunk.docx': openXml('docx', { 'word/afchunk.htm': '<html><script>x</script></html>' }),
    'dde.odt': openDocument('text', {
      'content.xml': '<a><text:dde-connection-decl office:dde-application="x"/><office:dde-source/></a>',
    }),
    'template.odt': openDocument('text', {
      'meta.xml': '<a><meta:template xlink:type="simple" xlink:href="http://x/a.ott"/></a>',
    }),
    'event.odt': openDocument('text', { 'content.xml': '<a xlink:href="vnd.sun.star.script:x"/>' }),
    'drawing.docx': openXml('docx', {
      'word/media/image1.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>',
    }),
  }
  for (const [name, content] of Object.entries(cases)) assert.ok(await isActive(name, content), name)
})

test('ordinary links, fields and parts of Office files are no finding', async () => {
  assert.deepEqual(
    await found({
      'a.docx': openXml('docx', {
        'word/_rels/document.xml.rels': relations('hyperlink', 'https://example.com/?a=1&amp;b=2'),
        'word/_rels/header1.xml.rels': relations('image', 'media/image1.png', ''),
        ...word(
          `${field('PAGE')}${field('TOC \\o "1-3"')}<w:t>DDEAUTO is a field</w:t>${field('REF DDE_1')}`,
        ),
      }),
      'b.xlsx': openXml('xlsx', { 'xl/worksheets/sheet1.xml': '<c><f>HYPERLINK("#a")</f><v>ENTITY</v></c>' }),
      'c.odt': openDocument('text'),
    }),
    [],
  )
})

const flat = (binary: Uint8Array, name = '/word/vbaProject.bin', prefix = 'pkg'): string =>
  `<?xml version="1.0"?><?mso-application progid="Word.Document"?><${prefix}:package xmlns:${prefix}="http://schemas.microsoft.com/office/2006/xmlPackage"><${prefix}:part ${prefix}:name="${name}" ${prefix}:compression="store"><${prefix}:binaryData>${Buffer.from(binary).toString('base64').replaceAll(/.{76}/g, '$&\n')}</${prefix}:binaryData></${prefix}:part></${prefix}:package>`

test('Office documents in one XML file are examined: macros are damage, links a notice', async () => {
  assert.deepEqual(
    await found({
      'a.xml': flat(vbaBin()),
      'b.xml': flat(vbaBin(''), '/word/x.bin', 'p'),
      'c.xml': utf16(flat(vbaBin())),
      'd.xml': `<?xml version="1.0"?><pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">${relations('attachedTemplate', 'http://x/a').replace(/^<\?.*\n/, '')}</pkg:package>`,
      'e.doc': flat(vbaBin()),
      'g.mso': Buffer.concat([Buffer.from('ActiveMime'), Buffer.alloc(40), deflateSync(vbaBin())]),
      'f.doc': `${MAIL_HEADER}Content-Type: application/x-mso\r\nContent-Transfer-Encoding: base64\r\n\r\nQWN0aXZlTWltZQAAAfAEAAAA\r\n`,
    }),
    [
      'damage macros a.xml',
      'damage macros a.xml/link 1',
      'damage macros b.xml/link 1',
      'damage macros c.xml',
      'damage macros e.doc',
      'damage macros e.doc/link 1',
      'damage macros f.doc',
      'damage macros f.doc/part 1',
      'damage macros g.mso',
      'notice partly_examined c.xml',
      'notice active_content d.xml',
      'notice type_mismatch e.doc',
      'notice type_mismatch f.doc',
    ],
  )
})

test('pages and images with scripts or handlers have a notice, at any offset and in any container', async () => {
  const filler = '<p>text and more text</p>\n'.repeat(120_000)
  const cases: Readonly<Record<string, string | Uint8Array>> = {
    'script.html': '<html><script>x</script></html>',
    'far.html': `<html>${filler}<SCRIPT\nsrc="x">`,
    'border.html': `<html>${'x'.repeat(1_048_576 - 10)}<script>x</script>`,
    'handler.html': '<img src=x onerror=alert(1)>',
    'quoted.html': '<img alt="a > b" onerror="x()">',
    'slash.html': '<svg/onload=x()>',
    'link.html': '<a href="javascript:x()">a</a>',
    'coded.html': '<a href="java&#x09;script&colon;x()">a</a>',
    'letters.html': '<a href="&#106;&#97;vascript:x()">a</a>',
    'frame.html': '<iframe src="http://x"></iframe>',
    'document.html': '<iframe srcdoc="x">',
    'tab.html': '<a href="java\tscript:x()">a</a>',
    'object.html': '<object data="x.html"></object>',
    'wide.html': utf16('<html><script>x</script></html>'),
    'a.xhtml': '<html xmlns="http://www.w3.org/1999/xhtml"><script>x</script></html>',
    'a.xml': `<a>${'<b>c</b>'.repeat(200_000)}<s:script xmlns:s="http://www.w3.org/1999/xhtml">x</s:script></a>`,
    'far.svg': `<svg xmlns="http://www.w3.org/2000/svg">${'<rect/>'.repeat(200_000)}<script>x</script></svg>`,
    'animate.svg': '<svg xmlns="http://www.w3.org/2000/svg"><a xlink:href="javascript:x()"/></svg>',
    'style.xsl':
      '<xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><msxsl:script language="JScript">x</msxsl:script></xsl:stylesheet>',
    noending: '<!doctype html><script>x</script>',
    'body.eml': `${MAIL_HEADER}Content-Type: text/html\r\n\r\n<script>x</script>\r\n`,
    'saved.mht': `${MAIL_HEADER}Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<scr=\r\nipt>x</script>\r\n--b--\r\n`,
    'table.xls': '<html><table><tr onclick="x()"></tr></table></html>',
    'event.fodt':
      '<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><a xlink:href="vnd.sun.star.script:x"/></office:document>',
    'book.epub': zipOf({ 'a/b.xhtml': '<html><script>x</script></html>' }),
  }
  for (const [name, content] of Object.entries(cases)) assert.ok(await isActive(name, content), name)
  const plain = `<!doctype html><p title="on off">online = yes, JavaScript: a language; <b>onload=</b></p>${filler}`
  assert.deepEqual(
    await found({ 'a.html': plain, 'a.svg': '<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>' }),
    [],
  )
  assert.deepEqual(
    await found({ 'a.eml': bytesOf(`${MAIL_HEADER}Content-Type: text/html\r\n\r\n<p>Hello</p>\r\n`) }),
    [],
  )
})
