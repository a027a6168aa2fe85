import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { startXmlCheck } from './xml-syntax.ts'

/** The first problem that the parser alone reports. */
function parsed(text: string): string | undefined {
  let problem: string | undefined
  const parser = new SaxesParser({ xmlns: false, position: true })
  parser.on('error', ({ message }) => void (problem ??= `at ${message}`))
  parser.write(text).close()
  return problem
}

function checked(bytes: Uint8Array, step = bytes.length, takeParsing = (_bytes: number) => true) {
  const check = startXmlCheck({ sizeBytes: bytes.length, takeParsing })
  for (let at = 0; at < bytes.length; at += step) check.push?.(bytes.subarray(at, at + step))
  return check.end({ encoding: 'utf-8', head: bytes, whole: undefined }).findings
}

/** The parser carries a carriage return over to the next bytes, and counts it as a column then. */
const withoutColumn = (detail: string | undefined): string | undefined =>
  detail?.replace(/^(at \d+):\d+/, '$1')

const PIECES = [
  '<a>',
  '</a>',
  '<b x="1">',
  '</b>',
  '<c-d y=\'é\' x = "&lt;" />',
  '<_:e\n z="1"\r\n y="2">',
  '</_:e >',
  'text ',
  'für ',
  '日本',
  '🙂',
  '\n',
  '\r\n',
  '\r',
  '\t',
  ']',
  ']]',
  '>',
  '&amp;',
  '&#233;',
  '&#x1F642;',
  '<!-- a - b -->',
  '<!-- -- -->',
  '<![CDATA[ <x> ]] ]]>',
  '<![CDATA[',
  ']]>',
  '<?pi x?>',
  '<?xml version="1.0"?>',
  '&#0;',
  '&#xFFFF;',
  '&unknown;',
  '&',
  '<',
  '\u0001',
  '\uffff',
  '<a x="1" x="2"/>',
  '<a x="<"/>',
  '<a x=1/>',
  '<ä>',
  '</ä>',
  'x'.repeat(200),
  `<${'n'.repeat(250)}/>`,
  '<!DOCTYPE a>',
  '/>',
  '"',
  "'",
]

test('XML has the problems that the parser alone finds, at the same places, in chunks of any size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }),
      fc.constantFrom('', '<?xml version="1.0" encoding="UTF-8"?>\n', '<?xml version="1.1"?>'),
      fc.integer({ min: 1, max: 100 }),
      (pieces, start, step) => {
        const text = `${start}<r a="1">${pieces.join('')}</r>\n`
        const found = checked(Buffer.from(text), step)
        const problem = parsed(text)
        assert.deepEqual(
          found.map(({ detail }) => withoutColumn(detail)),
          problem === undefined ? [] : [withoutColumn(problem.slice(0, 200))],
        )
        if (!text.includes('\r')) assert.equal(found[0]?.detail, problem?.slice(0, 200))
      },
    ),
    { numRuns: 3000 },
  )
})

test('well-formed XML of any size is read with little work for the parser', () => {
  const row = '<row n="1" m=\'2\'><name>für &amp; wider</name><!-- a --><![CDATA[<b>]]><empty/></row>\r\n'
  const bytes = Buffer.from(`<?xml version="1.0"?>\n<!DOCTYPE rows>\n<rows>\n${row.repeat(20_000)}</rows>\n`)
  let reserved = 0
  const takeParsing = (count: number): boolean => (reserved += count) <= 64 * 1024
  assert.deepEqual(checked(bytes, 50_000, takeParsing), [])
  const cut = bytes.subarray(0, -9)
  assert.deepEqual(checked(cut, 50_000), [
    { code: 'malformed_xml', detail: 'at 20004:0: unclosed tag: rows' },
  ])
})

test('XML that the parser must read is read up to a limit', () => {
  const bytes = Buffer.from(`<r>${'<größe>1</größe>'.repeat(20_000)}</r>`)
  assert.deepEqual(checked(bytes), [])
  let reserved = 0
  const takeParsing = (count: number): boolean => (reserved += count) <= 256 * 1024
  assert.deepEqual(
    checked(bytes, 10_000, takeParsing).map(({ code }) => code),
    ['partly_examined'],
  )
})
