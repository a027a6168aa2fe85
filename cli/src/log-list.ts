import { LogFormatError } from '@kitseal/kit/internal'

/** A log of a list. */
export interface ListedLog {
  readonly vkey: string
  /** Undefined if it is the name of the key. */
  readonly origin?: string | undefined
  /** For messages: `line 3`. */
  readonly where: string
}

/** Whether a file is a list of logs as the witness network publishes it, and not a policy. */
export const isLogList = (text: string): boolean => linesOf(text)[0]?.line.startsWith('logs/') === true

/**
 * The logs of such a list. `qpd` (requests a day), `contact` and `bastion` are for people and for witnesses that limit requests by log.
 * Throws LogFormatError.
 */
export function parseLogList(text: string): readonly ListedLog[] {
  const logs: (ListedLog & { readonly members: Set<string> })[] = []
  const [header, ...lines] = linesOf(text)
  if (header?.line !== 'logs/v0') throw new LogFormatError('it does not begin with the line logs/v0')
  for (const { line, where } of lines) {
    const [, name = '', value = ''] = /^(\S+)[ \t]+(.+)$/.exec(line) ?? []
    const log = logs.at(-1)
    if (name === 'vkey') logs.push({ vkey: value, where, members: new Set() })
    else if (log === undefined || !Object.hasOwn(MEMBERS, name) || log.members.has(name))
      throw new LogFormatError(`${where} is not expected here`)
    else if (!MEMBERS[name]!.test(value)) throw new LogFormatError(`${where}: ${name} is not valid`)
    else {
      log.members.add(name)
      if (name === 'origin' && value !== 'none') logs.splice(-1, 1, { ...log, origin: value })
    }
  }
  return logs
}

/** What may follow a vkey, each once. */
const MEMBERS: Readonly<Record<string, RegExp>> = {
  origin: /./,
  qpd: /^\d{1,9}$/,
  bastion: /^(none|https:\/\/\S+)$/,
  contact: /./,
}

function linesOf(text: string): readonly { readonly line: string; readonly where: string }[] {
  return text
    .split(/\r?\n/)
    .map((line, at) => ({ line: line.trim(), where: `line ${at + 1}` }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
}
