import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAllDocuments } from 'yaml'
import { YamlSkimmer } from './yaml-skim.ts'
import { startYamlCheck } from './yaml-syntax.ts'

function isPlain(text: string, step = 1000): boolean {
  const skimmer = new YamlSkimmer()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += step) skimmer.push(bytes.subarray(at, at + step))
  return skimmer.end()
}

/** What the parser alone says. */
function problem(text: string): string | undefined {
  const documents = parseAllDocuments(text, { logLevel: 'silent', prettyErrors: false, uniqueKeys: false })
  const errors = 'errors' in documents ? documents.errors : documents.flatMap((document) => document.errors)
  return Array.isArray(errors) ? errors[0]?.message : undefined
}

const LINES = [
  'a: 1',
  'b:',
  '"c": "x \\" y"',
  "'d': 'it''s'",
  '- x',
  '-',
  '- a: 1',
  '- - b: 2',
  '- b:',
  'text',
  'k: [1, two words, "x", {a: b}]',
  'k: {a: 1, b: [c]}',
  'k: [80:80, -1, ]',
  'k: [a b: c]',
  'k: {a}',
  'k: |',
  'k: >-',
  '- |',
  '- >+ # c',
  'k: http://x:80/y#z',
  'k: a: b',
  'k: a:',
  'k: - a',
  'k: -a',
  'k: "x" y',
  'k: "x"#y',
  'k: x # y',
  'k: x# y',
  'k: &x y',
  'k: *x',
  'k: !t y',
  'k: @x',
  'k: "\\x"',
  'k: für 日本 🙂',
  'k: "unclosed',
  "k: 'unclosed",
  'k : v',
  'k:\tv',
  'k: \u0007',
  'k: \ufeff',
  '\t',
  '# comment',
  '---',
  '--- x',
  '...',
  '%YAML 1.2',
  '? k',
  ': v',
  '',
  '   ',
  'k: [',
  ']',
  '{}',
  'k: []',
  'k: {} # c',
  '-x: y',
  '---x: y',
  'k: ---',
  'k: x\ry',
]

test('YAML that is called plain has no problem for the parser', () => {
  let plain = 0
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(6), fc.constantFrom(...LINES)), { maxLength: 9 }),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 60 }),
      (lines, newline, step) => {
        const text = lines.map(([indent, line]) => ' '.repeat(indent) + line).join(newline)
        if (!isPlain(text, step)) return
        plain++
        assert.equal(problem(text), undefined, JSON.stringify(text))
      },
    ),
    { numRuns: 8000 },
  )
  assert.ok(plain > 100, `${plain} texts were plain`)
})

test('YAML as people and programs write it is plain', () => {
  const texts = [
    'apiVersion: v1\nkind: List\nitems:\n- kind: Pod\n  metadata: {name: a, labels: {app: x}}\n  args: ["--x=1", "-v"]\n',
    'on:\n  push:\n    branches: [main, "release/1.0"]\njobs:\n  a:\n    steps:\n      - run: |\n          npm ci\n\n          npm test\n      - uses: a/b@v4 # pinned\n',
    '\ufeff---\n# a\na: 1\n---\nb:\n  - 1\n  - - 2\n    - 3\n',
    "paths:\n  /v1/items:\n    get:\n      description: >-\n        Lists\n        items.\n      '200': {description: OK}\n",
  ]
  for (const text of texts) {
    assert.equal(problem(text), undefined)
    assert.ok(isPlain(text), text)
  }
})

function codesOf(text: string): readonly string[] {
  const bytes = Buffer.from(text)
  const check = startYamlCheck({ sizeBytes: bytes.length, takeParsing: () => true })
  check.push?.(bytes)
  const whole = bytes.length <= 1024 * 1024 ? bytes : undefined
  return check
    .end({ encoding: 'utf-8', head: bytes.subarray(0, 8192), whole })
    .findings.map(({ code }) => code)
}

test('plain YAML is read whatever its size; other YAML only if it is small', () => {
  const large = '- name: a\n  value: [1, 2]\n'.repeat(100_000)
  assert.deepEqual(codesOf(large), [])
  assert.deepEqual(codesOf(`a: &x 1\nb: *x\n`), [])
  assert.deepEqual(codesOf(`a: "x\n`), ['malformed_yaml'])
  assert.deepEqual(codesOf(`${large}- &x 1\n`), ['partly_examined'])
})
