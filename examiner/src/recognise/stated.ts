import { INVISIBLE, type RecognisedOutput } from '@kitseal/kit/internal'
import { SecretFinder } from '../secrets/find-secrets.ts'
import type { Stated } from './recogniser.ts'

const MAX_TEXT = 120
const MAX_VERSION = 40

/** Checks and shortens what a file says, and writes it in one line. */
export function recognisedOutput(format: string, stated: Stated): RecognisedOutput {
  const tool = statedText(stated.tool, MAX_TEXT)
  const version = tool === undefined ? undefined : statedText(stated.version, MAX_VERSION)
  const target = statedText(stated.target, MAX_TEXT)
  const time = statedTime(stated.time)
  const counts = (stated.counts?.list() ?? []).filter(({ count }) => Number.isSafeInteger(count))
  const parts = [
    tool === undefined ? format : [tool, version].filter((part) => part !== undefined).join(' '),
    target,
    time === undefined ? undefined : dateOf(time),
    counts.map(({ name, count }) => `${count} ${count === 1 ? singular(name) : name}`).join(', ') ||
      undefined,
  ]
  return {
    format,
    ...(tool === undefined ? {} : { tool }),
    ...(version === undefined ? {} : { version }),
    ...(target === undefined ? {} : { target }),
    ...(time === undefined ? {} : { time }),
    counts,
    summary: parts.filter((part) => part !== undefined).join(' · '),
  }
}

/** `hosts up`, `vulnerabilities`, `matches`, but `pass`. */
function singular(name: string): string {
  return name
    .replace(/ies\b/, 'y')
    .replace(/(?<=ch)es\b/, '')
    .replace(/(?<!s)s\b/, '')
}

/** One line without invisible characters. Undefined if nothing is left, or if it contains a secret. */
export function statedText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_INPUT) return undefined
  const line = withoutPassword(value).toWellFormed().replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim()
  if (line === '' || hasSecret(value)) return undefined
  const characters = Array.from(line)
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`
}

const MAX_INPUT = 10_000
const UNPRINTABLE = new RegExp(`[\\p{Cn}${INVISIBLE.unprintable}]`, 'gu')

/** `https://user:password@host` without what is before the host. */
const withoutPassword = (text: string): string => text.replace(/\/\/[^/\s@]{0,500}@/g, '//')

function hasSecret(text: string): boolean {
  const finder = new SecretFinder()
  finder.push(new TextEncoder().encode(text))
  return finder.end(undefined).length > 0
}

const WRITTEN_TIME =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d{1,12})?\s?(?:(Z|UTC)|([+-]\d{2}):?(\d{2}))?$/i
/** Larger numbers are milliseconds: as seconds, this is the year 5138. */
const FIRST_MILLISECONDS = 1e11

/** RFC 3339 if the zone is known, else without a zone. Undefined if it is not a date of the last decades. */
export function statedTime(value: unknown): string | undefined {
  const number = typeof value === 'string' && /^\d{9,14}(?:\.\d{1,9})?$/.test(value) ? Number(value) : value
  if (typeof number === 'number') {
    const milliseconds = number < FIRST_MILLISECONDS ? number * 1000 : number
    if (!(milliseconds > 0 && milliseconds < Date.UTC(2200, 0))) return undefined
    return plausible(`${new Date(milliseconds).toISOString().slice(0, 19)}Z`)
  }
  const written = typeof value === 'string' ? WRITTEN_TIME.exec(value.trim()) : null
  if (written === null) return undefined
  const [, date, time = '', utc, hours, minutes] = written
  const zone = utc !== undefined ? 'Z' : hours === undefined ? '' : `${hours}:${minutes ?? '00'}`
  return plausible(`${date ?? ''}T${time.length === 5 ? `${time}:00` : time}${zone}`)
}

function plausible(time: string): string | undefined {
  const [year, month = '', day = ''] = time.slice(0, 10).split('-')
  if (Number.isNaN(Date.parse(time)) || Number(year) < 1990 || Number(year) > 2199) return undefined
  // 31 February is parsed as a day of March.
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
    ? time
    : undefined
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The day as the file has it. */
function dateOf(time: string): string {
  const [year = '', month, day] = time.slice(0, 10).split('-')
  const date = `${Number(day)} ${MONTHS[Number(month) - 1] ?? ''} ${year}`
  return time.length > 19 ? date : `${date} (time zone unknown)`
}
