import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { backlogs, firstToGive, MEASURED, ASSUMED, needed, rounded, STATIONS, STORES } from './model.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/scaling.md'), 'utf8')

/** The cells of a table of the page. */
function cells(heading: string): readonly (readonly string[])[] {
  const part = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = part.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  )
}

/** The first two columns of a table of the page. */
const table = (heading: string): readonly (readonly [string, string])[] =>
  cells(heading).map(([name = '', figure = '']) => [name, figure])

test('what gives first as the rate rises is the order of the table in docs/scaling.md', () => {
  const simulated = firstToGive().map(({ name }) => name)
  assert.deepEqual(
    table('Submissions per second').map(([name]) => name),
    simulated,
  )
})

test('the rates in docs/scaling.md are those of the model, and the simulation finds them', () => {
  for (const [index, { name, perSecond }] of firstToGive().entries()) {
    const station = STATIONS.find((one) => one.name === name)
    assert.ok(station !== undefined)
    const capacity = station.servers / station.seconds
    assert.ok(Math.abs(perSecond / capacity - 1) < 0.02, `${name}: ${perSecond} beside ${capacity}`)
    assert.equal(table('Submissions per second')[index]?.[1], rounded(capacity), name)
  }
})

test('the numbers of kits in docs/scaling.md are those of the model, in order', () => {
  const expected = STORES.toSorted((a, b) => a.kits - b.kits).map(({ name, kits }) => [name, millions(kits)])
  assert.deepEqual(table('Kits stored'), expected)
})

test('at 1,000 a second, queues grow only where the page says so', () => {
  const growing = new Set(backlogs(1000, 10).keys())
  for (const [name, figure] of table('Submissions per second'))
    assert.equal(growing.has(name), Number(figure.replaceAll(',', '')) < 1000, name)
})

test('what 10, 1,000 and 100,000 a second need is what the model says, and with it no queue grows', () => {
  const rates = [10, 1000, 100_000]
  const expected = STATIONS.map(({ name }, index) => [
    name,
    ...rates.map((rate) => (needed(rate)[index]?.[1] ?? 0).toLocaleString('en')),
  ])
  assert.deepEqual(
    cells('10, 1,000 and 100,000 a second').map((row) => row.slice(0, 4)),
    expected,
  )
  for (const rate of rates) {
    const count = new Map(needed(rate))
    const grown = (spare: number) =>
      STATIONS.map(({ name, seconds, servers }) => ({
        name,
        seconds,
        servers: servers * ((count.get(name) ?? 0) - spare),
      }))
    assert.equal(backlogs(rate, 1, grown(0)).size, 0, String(rate))
    assert.equal(backlogs(rate, 1, grown(1)).size, STATIONS.length, 'one less is not enough')
  }
})

test('with slower commits, the row of a workspace gives first', () => {
  const rest = STATIONS.filter(({ name }) => name !== 'row of a workspace')
  const slow = { name: 'row of a workspace', seconds: 1, servers: 1 }
  assert.equal(firstToGive([...rest, slow])[0]?.name, slow.name)
})

test('every figure of the model is on the page', () => {
  for (const [name, value] of Object.entries({ ...MEASURED, ...ASSUMED }))
    assert.ok(page.includes(shown(value)), `${name}: ${shown(value)}`)
})

const millions = (kits: number): string => `${rounded(kits / 1e6)} million`

const shown = (value: number): string => {
  if (value >= 2 ** 40) return `${value / 2 ** 40} TiB`
  return value >= 1e9 ? `${value / 1e9} GB` : value.toLocaleString('en')
}
