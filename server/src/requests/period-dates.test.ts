import assert from 'node:assert/strict'
import { test } from 'node:test'
import { periodName, startAfter, startAt } from './period-dates.ts'

test('a period starts on the day of the first one, or on the last day of a shorter month', () => {
  const cases = [
    ['monthly', '2026-01-31', '2026-01-31', '2026-02-28'],
    ['monthly', '2026-01-31', '2026-02-28', '2026-03-31'],
    ['quarterly', '2026-11-30', '2026-12-01', '2027-02-28'],
    ['half_yearly', '2026-08-31', '2026-08-31', '2027-02-28'],
    ['yearly', '2028-02-29', '2028-03-01', '2029-02-28'],
    ['quarterly', '2026-10-01', '2026-12-31', '2027-01-01'],
    ['quarterly', '2026-10-01', '2026-01-01', '2026-10-01'],
  ] as const
  for (const [cadence, starts_on, day, next] of cases)
    assert.equal(startAfter({ cadence, starts_on }, day), next, `${cadence} ${starts_on} ${day}`)
  assert.equal(startAfter({ cadence: 'none', starts_on: '2026-01-01' }, '2026-01-01'), null)
})

test('after a long pause the period of today is the one that opens', () => {
  const starts_on = '2025-01-15'
  assert.equal(startAt({ cadence: 'quarterly', starts_on }, '2026-11-18'), '2026-10-15')
  assert.equal(startAt({ cadence: 'quarterly', starts_on }, '2026-10-14'), '2026-07-15')
  assert.equal(startAt({ cadence: 'none', starts_on }, '2026-10-14'), starts_on)
  assert.equal(startAt({ cadence: 'monthly', starts_on }, '2024-10-14'), starts_on)
})

test('a period is named by the calendar, and periods of a cadence have different names', () => {
  assert.equal(periodName('monthly', '2026-03-31', 1), '2026-03')
  assert.equal(periodName('quarterly', '2026-11-18', 1), '2026-Q4')
  assert.equal(periodName('half_yearly', '2026-07-01', 1), '2026-H2')
  assert.equal(periodName('yearly', '2026-07-01', 1), '2026')
  assert.equal(periodName('none', '2026-07-01', 3), '3')
  for (const cadence of ['monthly', 'quarterly', 'half_yearly', 'yearly'] as const) {
    const names = new Set<string>()
    let day = '2026-08-31'
    for (let count = 0; count < 40; count += 1) {
      names.add(periodName(cadence, day, 1))
      day = startAfter({ cadence, starts_on: '2026-08-31' }, day) ?? ''
    }
    assert.equal(names.size, 40)
  }
})
