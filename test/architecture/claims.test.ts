// A sentence of state on a page is a claim. web/src/texts/claims.ts has a row for each.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { en as kitTexts } from '../../kit/src/texts/en.ts'
import { VERDICTS } from '../../kit/src/verdicts.ts'
import { TEMPLATES } from '../../server/src/deliveries/mail-templates.ts'
import { type Claim, CLAIMS, NOT_CLAIMS } from '../../web/src/texts/claims.ts'
import { en } from '../../web/src/texts/en/index.ts'

const root = path.join(import.meta.dirname, '../..')

/** Words that say in which state something is. */
const STATE =
  /\b(accepted|active|altered|approved|charged|closed|complete|confirmed|copied|created|deleted|delivered|disabled|done|erased|expire[sd]?|fail(ed|s)?|identical|imported|intact|(re-)?issued|kept|mailed|nothing|overdue|pass(ed)?|private|protected|queued|ready|received|revoked|saved|sealed|sent|signed|submitted|trust(ed)?|unchanged|up to date|uploaded|valid|verified)\b/i

type Texts = ReadonlyMap<string, string>

const TEXTS: Texts = new Map([
  ...textsIn(en),
  ...textsIn(
    Object.fromEntries(
      Object.entries(VERDICTS).map(([name, { heading, advice }]) => [name, { heading, advice }]),
    ),
    'kit',
  ),
  ...textsIn(kitTexts.provenance.headings, 'kit.provenance'),
  ...textsIn(TEMPLATES, 'mail'),
])

function textsIn(value: unknown, key = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[key, value]]
  if (typeof value === 'function') return [[key, wordsOf(String(value))]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    textsIn(inner, key === '' ? name : `${key}.${name}`),
  )
}

/** What a function that makes a text writes, without its parameters. */
function wordsOf(code: string): string {
  return code.slice(code.indexOf('=>')).replace(/\$\{[^{}]*\}/g, '…')
}

/** `*` stands for characters other than a dot, `**` for any. */
const matching = (pattern: string) => {
  const parts = pattern.split('**').map((part) => part.replaceAll('.', '\\.').replaceAll('*', '[^.]*'))
  const expression = new RegExp(`^${parts.join('.+')}$`)
  return (key: string): boolean => expression.test(key)
}

const textsOf = ([names]: Claim): readonly string[] => [names].flat()

function problemsOf(texts: Texts, claims: readonly Claim[], notClaims: readonly string[]): readonly string[] {
  const patterns = [...claims.flatMap(textsOf), ...notClaims]
  const isNamed = (key: string): boolean => patterns.some((pattern) => matching(pattern)(key))
  const exists = (pattern: string): boolean => [...texts.keys()].some(matching(pattern))
  return [
    ...[...texts]
      .filter(([key, text]) => STATE.test(text) && !isNamed(key))
      .map(([key, text]) => `${key} has no row: ${text}`),
    ...patterns.filter((pattern) => !exists(pattern)).map((pattern) => `${pattern} is no text`),
    ...claims.flatMap(([, , , name]) => (hasTest(name) ? [] : [`no such test: ${name}`])),
  ]
}

function hasTest(named: string): boolean {
  const [file = '', name = ''] = named.split(' › ')
  const full = path.join(root, file)
  if (name === '' || !existsSync(full)) return false
  const code = readFileSync(full, 'utf8')
  return ["'", '"', '`'].some(
    (quote) =>
      code.includes(`test(${quote}${name}${quote}`) || code.includes(`${quote}${name}${quote}, async`),
  )
}

test('every sentence of state has a row in the table of claims, with a text and a test that exist', () => {
  assert.deepEqual(problemsOf(TEXTS, CLAIMS, Object.values(NOT_CLAIMS).flat()), [])
})

test('a sentence without a row, a row without a text and a row without a test are found', () => {
  const texts = new Map(
    textsIn({ page: { ok: 'All files are verified.', count: (n: number) => `${n} sent`, close: 'Close' } }),
  )
  const own = 'test/architecture/claims.test.ts'
  const row = (text: string, name: string): Claim => [text, 'page', 'fact', `${own} › ${name}`]
  const here = 'a sentence without a row, a row without a text and a row without a test are found'
  assert.deepEqual(problemsOf(texts, [row('page.ok', here), row('page.count', here)], []), [])
  assert.deepEqual(problemsOf(texts, [row('page.ok', here)], []), ['page.count has no row: => `… sent`'])
  assert.deepEqual(problemsOf(texts, [row('page.*', here), row('page.gone', here)], []), [
    'page.gone is no text',
  ])
  assert.deepEqual(problemsOf(texts, [row('page.*', 'no such')], []), [`no such test: ${own} › no such`])
  assert.deepEqual(problemsOf(texts, [row('page.ok', here)], ['page.count']), [])
})

test('the parameters of a text are not its words', () => {
  assert.equal(STATE.test(wordsOf('(sent, all) => `${sent} of ${all}`')), false)
  assert.equal(STATE.test(wordsOf('(count) => `${count} sent`')), true)
})
