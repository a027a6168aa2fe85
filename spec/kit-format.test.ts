import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ERROR_CODES } from '../kit/src/verdicts.ts'
import { type Verdict, verdictHeading, VERDICTS } from '../kit/src/verdicts.ts'
import { SAMPLE_FOLDER } from './make-sample.ts'
import { FORMAT_PAGE, pageWithSample } from './sample-in-words.ts'
import { vectors } from './stored-vectors.ts'

const page = readFileSync(FORMAT_PAGE, 'utf8')

interface Rule {
  readonly number: number
  readonly text: string
  readonly patterns: readonly string[]
}

const rules = page
  .split(/^(?=\*\*R\d+\.\*\*)/m)
  .slice(1)
  .map((text): Rule => {
    const [, number = ''] = /^\*\*R(\d+)\.\*\*/.exec(text) ?? []
    const [, listed = ''] = /^Vectors:([^]*?)\.$/m.exec(text) ?? []
    return {
      number: Number(number),
      text,
      patterns: [...listed.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    }
  })

const matcher = (pattern: string): RegExp => new RegExp(`^${pattern.replaceAll('*', '.*')}$`)

test('the rules are numbered in order', () => {
  assert.deepEqual(
    rules.map(({ number }) => number),
    rules.map((_, index) => index + 1),
  )
})

test('every rule names vectors that exist', () => {
  for (const { number, patterns } of rules) {
    assert.ok(patterns.length > 0, `R${number} names no vector`)
    for (const pattern of patterns)
      assert.ok(
        vectors.some(({ name }) => matcher(pattern).test(name)),
        `R${number} names ${pattern}, but there is no such vector`,
      )
  }
})

test('every vector is named by a rule', () => {
  const matchers = rules.flatMap(({ patterns }) => patterns.map(matcher))
  const unnamed = vectors
    .map(({ name }) => name)
    .filter((name) => !matchers.some((named) => named.test(name)))
  assert.deepEqual(unnamed, [])
})

test('the format lists exactly the codes that verification can report, with the same texts', () => {
  const [, section = ''] = /The codes are closed:([^]*?)\n## /.exec(page) ?? []
  const rows = [...section.matchAll(/^\| `([a-z_]+)`\s*\| (.*?)\s*\|$/gm)]
  const table = rows.map(([, code, meaning]) => [code, meaning])
  assert.deepEqual(table, Object.entries(ERROR_CODES))
  assert.equal(section.match(/^\| `/gm)?.length, table.length)
})

test('every code that verification can report is covered by a vector', () => {
  const expected = new Set(
    vectors.flatMap((vector) => ('codes' in vector.expected ? vector.expected.codes : [])),
  )
  assert.deepEqual(
    Object.keys(ERROR_CODES).filter((code) => !expected.has(code as keyof typeof ERROR_CODES)),
    [],
  )
})

test('the format lists exactly the verdicts of the kit code, with the same words', () => {
  const [, section = ''] = /<!-- verdicts -->([^]*?)<!-- \/verdicts -->/.exec(page) ?? []
  const rows = [...section.matchAll(/^\| `([a-z_]+)` .*$/gm)].map(([row]) =>
    row
      .split('|')
      .slice(1, 6)
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
  const table = (Object.keys(VERDICTS) as Verdict[]).map((verdict) => {
    const { status, exitCode, colour } = VERDICTS[verdict]
    const heading = verdictHeading({ verdict, signer: { revoked_at: 'DATE' } })
    return [verdict, status, String(exitCode), colour, heading]
  })
  assert.deepEqual(rows.toSorted(), table.toSorted())
})

test('every verdict is covered by a vector', () => {
  const expected = new Set(
    vectors.flatMap((vector) => ('verdict' in vector.expected ? [vector.expected.verdict] : [])),
  )
  assert.deepEqual([...expected].toSorted(), Object.keys(VERDICTS).toSorted())
})

test('the example in the format is the sample kit', async () => {
  assert.equal(await pageWithSample(SAMPLE_FOLDER), page, 'run node spec/make-sample.ts')
})
