import type { Cadence, Program } from './program.ts'

const MONTHS: Readonly<Record<Exclude<Cadence, 'none'>, number>> = {
  monthly: 1,
  quarterly: 3,
  half_yearly: 6,
  yearly: 12,
}

const DAY_MS = 24 * 60 * 60 * 1000

export const dayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10)
export const addDays = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY_MS)

export const later = (day: string, other: string): string => (day < other ? other : day)

/** The same day, months later. The 31st becomes the last day of a shorter month. */
function addMonths(day: string, months: number): string {
  const date = new Date(day)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)))
}

type Schedule = Pick<Program, 'cadence' | 'starts_on'>

/** When the first period after a day starts. Null if no further period starts by itself. */
export function startAfter({ cadence, starts_on }: Schedule, day: string): string | null {
  if (day < starts_on) return starts_on
  if (cadence === 'none') return null
  return addMonths(starts_on, (periodsSince(starts_on, day, MONTHS[cadence]) + 1) * MONTHS[cadence])
}

/** When the period that a day belongs to started. The first one starts on `starts_on`. */
export function startAt({ cadence, starts_on }: Schedule, day: string): string {
  if (day < starts_on || cadence === 'none') return starts_on
  return addMonths(starts_on, periodsSince(starts_on, day, MONTHS[cadence]) * MONTHS[cadence])
}

/** How many periods ended before a day. */
export const periodsBefore = ({ cadence, starts_on }: Schedule, day: string): number =>
  day < starts_on || cadence === 'none' ? 0 : periodsSince(starts_on, day, MONTHS[cadence])

/** How many periods have ended. */
function periodsSince(starts_on: string, day: string, months: number): number {
  const [from, to] = [new Date(starts_on), new Date(day)]
  const passed = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  const count = Math.floor(passed / months)
  return addMonths(starts_on, count * months) > day ? count - 1 : count
}

const NAMES: Readonly<Record<Cadence, (year: string, month: number, number: number) => string>> = {
  monthly: (year, month) => `${year}-${String(month).padStart(2, '0')}`,
  quarterly: (year, month) => `${year}-Q${Math.ceil(month / 3)}`,
  half_yearly: (year, month) => `${year}-H${Math.ceil(month / 6)}`,
  yearly: (year) => year,
  none: (_year, _month, number) => String(number),
}

/** By the calendar: 2026-Q4 is the period that starts in the fourth quarter. Without a cadence, periods are counted. */
export const periodName = (cadence: Cadence, from: string, number: number): string =>
  NAMES[cadence](from.slice(0, 4), Number(from.slice(5, 7)), number)
