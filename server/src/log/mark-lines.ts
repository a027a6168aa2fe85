import {
  type Announced,
  beyond,
  headLine,
  highestOf,
  type LogHead,
  type MarkEntries,
  parseHead,
} from './log-mark.ts'

/** Recorded heads are lines of their own. A sign before the line says that the head is announced or withdrawn. */
export const announcedLine = (head: Announced): string => signedLine('+', head)
export const withdrawnLine = (head: Announced): string => signedLine('-', head)

const signedLine = (sign: '+' | '-', head: Announced): string =>
  `${sign}${headLine(head)} ${Buffer.from(head.owner).toString('base64url')}`

const SIGNED = /^([+-])(\S+ \S+) ([\w-]+)$/

const NONE: MarkEntries = { heads: [], announced: [] }

/** The entries with those of further lines. A line that was not written completely does not count. */
export function parseLines(text: string, before: MarkEntries = NONE): MarkEntries {
  const heads: LogHead[] = [...before.heads]
  const announced = new Map(before.announced.map((head) => [announcedLine(head).slice(1), head]))
  for (const line of text.split('\n').slice(0, -1)) {
    const [, sign, entry = line, owner = ''] = SIGNED.exec(line) ?? []
    const head = parseHead(entry)
    if (head === undefined) continue
    if (sign === undefined) heads.push(head)
    else if (sign === '-') announced.delete(line.slice(1))
    else announced.set(line.slice(1), { ...head, owner: Buffer.from(owner, 'base64url').toString() })
  }
  return { heads, announced: beyond(heads, [...announced.values()]) }
}

/** What has to be kept when the file is replaced. */
export function keptLines({ heads, announced }: MarkEntries): readonly string[] {
  return [...(heads.length === 0 ? [] : highestOf(heads).map(headLine)), ...announced.map(announcedLine)]
}
