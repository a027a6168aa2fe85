/** `flag` takes no value, `one` takes one, `many` may be repeated. */
export type OptionKind = 'flag' | 'one' | 'many'

/** A key ID is base64url and may start with a dash, so it is recognized by its length before options are parsed. */
export const KID = /^[A-Za-z0-9_-]{43}$/

export function kidProblems(kids: readonly string[]): readonly string[] {
  return kids
    .filter((kid) => !KID.test(kid))
    .map((kid) => `${JSON.stringify(kid)} is not a key ID, which has 43 characters, such as ${EXAMPLE_KID}`)
}

const EXAMPLE_KID = 'AbRMUOHoS_NztJ3fk_UfIGjXN1rg-lCmOLE_YxWE4xo'

/** Parses a command's arguments and collects every problem. `util.parseArgs` would take a key ID for an option. */
export function parseArguments<Name extends string>(
  args: readonly string[],
  options: Readonly<Record<Name, OptionKind>>,
) {
  const positionals: string[] = []
  const flags = new Set<Name>()
  const values = new Map<Name, string[]>()
  const problems: string[] = []
  let wantsHelp = false
  const left = [...args]
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (arg === '--') {
      positionals.push(...left.splice(0))
      continue
    }
    if (arg === '') {
      problems.push('empty argument')
      continue
    }
    if (KID.test(arg) || !arg.startsWith('-') || arg === '-') {
      positionals.push(arg)
      continue
    }
    const equals = arg.indexOf('=')
    const name = (equals === -1 ? arg : arg.slice(0, equals)).replace(/^--?/, '') as Name
    const kind = Object.hasOwn(options, name) ? options[name] : undefined
    if (arg === '--help' || arg === '-h') wantsHelp = true
    else if (kind === undefined) {
      const known = [...Object.keys(options), 'help'].map((option) => `--${option}`)
      problems.push(`unknown option ${arg}${suggestion(`--${name}`, known)}`)
    } else if (kind === 'flag') {
      if (equals === -1) flags.add(name)
      else problems.push(`--${name} does not take a value`)
    } else {
      const value = equals === -1 ? left.shift() : arg.slice(equals + 1)
      const before = values.get(name) ?? []
      if (value === undefined || value === '') problems.push(`--${name} needs a value`)
      else if (kind === 'one' && before.length > 0) problems.push(`--${name} was given more than once`)
      else values.set(name, [...before, value])
    }
  }
  return { positionals, flags, values, problems, wantsHelp }
}

/** `. Did you mean …?` for the closest known word, or an empty string. */
export function suggestion(word: string, known: readonly string[]): string {
  const [best] = known
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .toSorted((a, b) => a.distance - b.distance)
  const close = best !== undefined && best.distance <= Math.max(1, Math.floor(best.candidate.length / 3))
  return close ? `. Did you mean ${best.candidate}?` : ''
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + change))
    }
    row = next
  }
  return row[b.length]!
}

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
