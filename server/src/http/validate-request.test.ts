import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { Refusal } from '../refusals.ts'
import { DateOrTime, Email, LABEL, Line, OneOf } from './schema-parts.ts'
import { bodyValidator, queryValidator } from './validate-request.ts'

const closed = { additionalProperties: false } as const
const body = (members: Record<string, TSchema>) => bodyValidator(Type.Object(members, closed))

const refusalOf = (validate: (value: unknown) => unknown, value: unknown): Refusal => {
  try {
    validate(value)
  } catch (error) {
    if (error instanceof Refusal) return error
  }
  throw new Error('not refused')
}

function message(validate: (value: unknown) => unknown, value: unknown): string {
  try {
    validate(value)
    return ''
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return error.message
  }
}

test('labels and console names reject line breaks, control and bidirectional characters', () => {
  const validate = body({ label: Type.String(LABEL), name: Line(200) })
  for (const separator of ['\n', '\u0000', '\u0085', '\u2028', '\u2029', '\u202e', '\u2066']) {
    const text = `a${separator}b`
    const rule = 'must be one line of text without control or bidirectional characters'
    assert.equal(message(validate, { label: text, name: text }), `label ${rule}; name ${rule}.`)
  }
  assert.deepEqual(validate({ label: ' x ', name: ' بِ 日本 👩‍👧 ' }), { label: ' x ', name: 'بِ 日本 👩‍👧' })
})

test('every kind of problem has one wording, and all problems are named at once', () => {
  const validate = body({
    missing: Type.String(),
    type: Type.Boolean(),
    long: Type.String({ maxLength: 3 }),
    choice: OneOf(['A', 'B']),
    time: Type.String({ format: 'date-time' }),
    email: Email(),
    count: Type.Integer({ minimum: 1, maximum: 9 }),
    list: Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 3 }),
    'nothing/~': Type.Union([Line(5), Type.Null()]),
  })
  const sent = { type: 1, long: 'four', choice: 'C', time: '2026-02-30T00:00:00Z', email: 'x@', count: 10 }
  const problems = message(validate, { ...sent, list: [1, -1, 'x'], 'nothing/~': 7, other: 0 })
  assert.deepEqual(problems.slice(0, -1).split('; ').toSorted(), [
    '"other" is not allowed here',
    'choice must be one of A, B',
    'count must be an integer from 1 to 9',
    'email must be an email address',
    'list[1] must be an integer of at least 0',
    'list[2] must be an integer of at least 0',
    'long must have at most 3 characters',
    'missing is missing',
    'nothing/~ must be a string or null',
    'time must be a date-time (RFC 3339)',
    'type must be true or false',
  ])
  const tooLong = message(body({ name: Type.Optional(Type.Union([Line(5), Type.Null()])) }), {
    name: '123456',
  })
  assert.equal(tooLong, 'name must have 1 to 5 characters.')
  assert.equal(
    message(body({ list: Type.Array(Type.Null(), { maxItems: 1 }) }), { list: [null, null] }),
    'list must have at most 1 items.',
  )
})

test('characters are counted as Unicode code points', () => {
  const validate = body({ label: Type.String(LABEL) })
  assert.equal(message(validate, { label: '😀'.repeat(200) }), '')
  assert.equal(message(validate, { label: '😀'.repeat(201) }), 'label must have 1 to 200 characters.')
})

test('a body that is not an object gets a message with the required members', () => {
  for (const value of [null, [], 'text'])
    assert.equal(
      message(body({ a: Type.Null(), b: Type.Null() }), value),
      'The body must be a JSON object with a, b.',
    )
})

test('integers in a query are converted, and a repeated parameter is invalid', () => {
  const validate = queryValidator(Type.Object({ n: Type.Integer(), q: Type.Optional(Type.String()) }, closed))
  assert.deepEqual(validate({ n: '12' }), { n: 12 })
  for (const n of ['', '1.5', '-1', '0x1', ' 1', ['1', '2']])
    assert.equal(message(validate, { n }), 'n must be an integer.')
  assert.equal(message(validate, { n: '1', q: ['a', 'b'] }), 'q must be a string.')
})

test('an error names its parameter: the first one, if there are several', () => {
  const item = Type.Object({ title: Type.String(LABEL) }, closed)
  const validate = body({ label: Type.String(LABEL), items: Type.Optional(Type.Array(item)) })
  for (const [value, param] of [
    [{}, 'label'],
    [{ label: '' }, 'label'],
    [{ label: 'x', items: [{ title: 'a' }, { title: '' }] }, 'items[1].title'],
    [{ label: 'x', items: [{ title: 'a', more: 1 }] }, 'items[0].more'],
    [{ label: 'x', other: 1 }, 'other'],
  ] as const)
    assert.equal(refusalOf(validate, value).param, param, JSON.stringify(value))
  const query = queryValidator(Type.Object({ limit: Type.Integer({ minimum: 1 }) }, closed))
  assert.equal(refusalOf(query, { limit: '0' }).param, 'limit')
})

test('a filter takes a date or a date-time', () => {
  const validate = queryValidator(Type.Object({ since: DateOrTime('From then on.') }, closed))
  for (const since of ['2026-11-17', '2026-11-17T09:30:00Z', '2026-11-17T09:30:00+01:00'])
    assert.deepEqual(validate({ since }), { since })
  for (const since of ['2026-02-30', '17.11.2026', '2026-11', '2026-11-17 09:30', ''])
    assert.equal(message(validate, { since }), 'since must be a date-time (RFC 3339) or a date.')
})
