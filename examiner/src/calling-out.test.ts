import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Contents, deflated, zipOf, zipOfEntries } from '../test/evidence-samples.ts'
import { examine, noticed } from '../test/examine.ts'

const found = async (files: Contents): Promise<readonly string[]> => noticed(await examine(files))

test('formulas in a table that call out are a notice, others are not', async () => {
  const calling = [
    '=HYPERLINK("http://example.com","x")',
    '"=WEBSERVICE(""http://example.com"")"',
    "=cmd|'/c calc'!A0",
    "+cmd|' /C calc'!A0",
    "-2+3+cmd|'/C calc'!A0",
    "@SUM(1+1)*cmd|'/C calc'!A0",
    '=1+importxml ("http://example.com","//a")',
    '  =IMAGE("http://example.com")',
  ]
  const plain = [
    '-5',
    '+49 (0) 170',
    '=A1+SUM(B1)',
    'call(me)',
    'a|b!c',
    '-5|x!',
    'see HYPERLINK(x)',
    'a = exec(b)',
  ]
  for (const cell of calling)
    for (const [name, separator] of Object.entries({ 'a.csv': ',', 'b.csv': ';', 'a.tsv': '\t' })) {
      const codesFound = await found({ [name]: `a${separator}b\n1${separator}${cell}\n` })
      assert.ok(codesFound.includes(`notice active_content ${name}`), `${name} ${cell}`)
    }
  for (let pad = 0; pad < 40; pad += 3) {
    const start = '1,2\n'.repeat(262_144).slice(0, 1_048_576 - pad)
    assert.deepEqual(await found({ 'a.csv': `${start}\n1,${calling[0]}\n` }), ['notice active_content a.csv'])
  }
  assert.deepEqual(await found({ 'a.csv': plain.map((cell) => `1,${cell}\n`).join('') }), [])
})

test('a sentence about macros is no macro', async () => {
  assert.deepEqual(
    await found({
      'a.md': 'Word writes `w:macrosPresent="yes"`.\n',
      'b.txt': 'QWN0aXZlTWltZQAAAfAEAAAA and <script:module>\n',
    }),
    [],
  )
})

test('encrypted archives with programs are a danger', async () => {
  assert.deepEqual(
    await found({
      'a.zip': locked('a.txt'),
      'b.zip': locked('b.exe'),
      'c.zip': zipOf({ 'n.zip': locked('c.scr') }),
    }),
    [
      'damage encrypted_archive a.zip/a.txt',
      'damage encrypted_archive b.zip/b.exe',
      'danger executable_content b.zip/b.exe',
      'damage encrypted_archive c.zip/n.zip/c.scr',
      'danger executable_content c.zip/n.zip/c.scr',
    ],
  )
})

function locked(name: string): Uint8Array {
  const entry = deflated(name, 'x')
  return zipOfEntries({ ...entry, header: { ...entry.header, flags: 1 } })
}

test('shortcuts, web queries and HTML applications are recognized by content', async () => {
  const files: Contents = {
    'a.txt': 'WEB\r\n1\r\nhttps://example.com/run\r\n',
    'b.txt': '[Desktop Entry]\nType=Application\nExec=sh -c true\n',
    'c.txt': '[InternetShortcut]\r\nURL=file://server/run.exe\r\n',
    'd.txt': '[Shell]\r\nCommand=2\r\n',
    'e.txt': '<html><head><HTA:APPLICATION id="x"/></head></html>',
    'f.txt': '<?xml version="1.0"?>\n<PCSettings><DeepLink>cmd.exe</DeepLink></PCSettings>',
    'g.txt': '\n#!/bin/sh\ntrue\n',
    'h.xml': '<?xml version="1.0"?>\n<MMC_ConsoleFile ConsoleVersion="3.0"></MMC_ConsoleFile>',
    'i.txt': Buffer.from('\ufeffscreen mode id:i:2\r\nfull address:s:evil.example\r\n', 'utf16le'),
    'j.xml':
      '<asmv1:assembly xmlns:asmv1="urn:schemas-microsoft-com:asm.v1"><deployment install="true"/></asmv1:assembly>',
    'k.xml': '<jnlp spec="1.0+" codebase="http://example.com"></jnlp>',
    'l.xml': '<persistedQuery version="1.0"></persistedQuery>',
    'm.xml': '<libraryDescription xmlns="x"><url>\\\\server\\x</url></libraryDescription>',
    'n.xml': '<Configuration><LogonCommand><Command>calc</Command></LogonCommand></Configuration>',
    'o.plist':
      '<?xml version="1.0"?><plist version="1.0"><dict><key>URL</key><string>file:///x</string></dict></plist>',
    'p.plist':
      '<?xml version="1.0"?><plist version="1.0"><dict><key>CommandString</key><string>x</string></dict></plist>',
    'q.txt':
      '[{000214A0-0000-0000-C000-000000000046}]\r\nProp3=19,2\r\n[InternetShortcut]\r\nURL=http://x\r\n',
    'r.rdp': 'x\n',
    's.txt': 'Windows Registry Editor Version 5.00\r\n',
    't.search-ms': 'x\n',
  }
  const plain: Contents = {
    'x.txt': 'WEB 1\nplain',
    'y.ini': '[Shell]\nfont=1\n',
    'z.html': '<html><p>HTA</html>',
  }
  assert.deepEqual(
    await found({ ...files, ...plain }),
    Object.keys(files).map((name) => `notice script_content ${name}`),
  )
})
