// What a setting may be. Each returns undefined for anything else.
import { readNetworks } from './networks.ts'

export type RateLimit =
  | { readonly is: 'off' }
  | { readonly is: 'on'; readonly intakePerMinute: number; readonly verifyPerMinute: number }

export const text = (value: string): string | undefined => (value === '' ? undefined : value)

export const integer =
  (least: number, most: number) =>
  (value: string): number | undefined => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    return number >= least && number <= most ? number : undefined
  }

export const oneOf =
  <const T extends string>(values: readonly T[]) =>
  (value: string): T | undefined =>
    values.find((known) => known === value)

export const onOff = (value: string): boolean | undefined =>
  value === 'on' ? true : value === 'off' ? false : undefined

/** As in checkpoints: host and path, without a scheme, white space or plus sign. */
export function logOrigin(value: string): string | undefined {
  return /^[^+\p{White_Space}:]+(:[0-9]+)?(\/[^+\p{White_Space}]*[^+\p{White_Space}/])?$/u.test(value) &&
    value.length <= 255
    ? value
    : undefined
}

export const scrubRate = (value: string): number | undefined =>
  value === 'off' ? 0 : integer(1024, 999_999_999)(value)

export interface DailyLimits {
  readonly perAddress: number
  readonly inAll: number
}

/** `PER_ADDRESS,IN_ALL`. */
export function dailyLimits(value: string): DailyLimits | undefined {
  if (value === 'off') return { perAddress: Infinity, inAll: Infinity }
  const [perAddress, inAll, ...more] = value.split(',').map((each) => integer(1, 1_000_000_000)(each.trim()))
  return perAddress === undefined || inAll === undefined || more.length > 0
    ? undefined
    : { perAddress, inAll }
}

export function rateLimit(value: string): RateLimit | undefined {
  if (value === 'off') return { is: 'off' }
  const perMinute = integer(1, 1_000_000)
  const both = perMinute(value)
  if (both !== undefined) return { is: 'on', intakePerMinute: both, verifyPerMinute: both }
  const parts = new Map(
    value.split(',').map((part) => part.split('=', 2).map((side) => side.trim()) as [string, string]),
  )
  const intake = perMinute(parts.get('intake') ?? '')
  const verify = perMinute(parts.get('verify') ?? '')
  if (intake === undefined || verify === undefined || value.split(',').length !== 2) return undefined
  return { is: 'on', intakePerMinute: intake, verifyPerMinute: verify }
}

export function trustProxy(value: string): boolean | number | readonly string[] | undefined {
  if (value === 'off') return false
  const hops = integer(1, 16)(value)
  if (hops !== undefined) return hops
  return readNetworks(value)
}

/** A socket path contains a slash; anything else is host:port. */
export function clamavAddress(value: string): string | undefined {
  if (value.includes('/')) return value
  const [, port = ''] = /^[^:]+:(\d+)$/.exec(value) ?? /^\[[0-9a-fA-F:.]+\]:(\d+)$/.exec(value) ?? []
  return integer(1, 65_535)(port) === undefined ? undefined : value
}

export type Listen =
  | { readonly is: 'off' }
  | { readonly is: 'on'; readonly host: string; readonly port: number }

export function listen(value: string): Listen | undefined {
  if (value === 'off') return { is: 'off' }
  const [, six, other, digits = ''] = /^(?:\[([0-9a-f:.]+)\]|([^[\]:/\s]+)):(\d+)$/i.exec(value) ?? []
  const port = integer(0, 65_535)(digits)
  const host = six ?? other
  return port === undefined || host === undefined ? undefined : { is: 'on', host, port }
}
