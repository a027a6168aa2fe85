const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** `30d`, `24h`, `90m` or `10s` in seconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * SECONDS[unit]!
}

/** What is wrong with a duration given as an option. */
export function durationProblems(option: string, text: string | undefined): readonly string[] {
  if (text === undefined || parseDuration(text) !== undefined) return []
  return [`${option} must be a duration such as 30d, 24h, 90m or 10s, not ${JSON.stringify(text)}`]
}
