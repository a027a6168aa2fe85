import type { Submission } from '@kitseal/client'
import { type Terminal, colors, firstLines, printable, pluralize } from './terminal.ts'
import { type FindingGroup, firstPathsText, groupFindings } from '@kitseal/examiner/group-findings'
import { groupBy } from '@kitseal/kit/internal'

export type Finding = Omit<Submission['findings'][number], 'path'> & { readonly path: string | null }

/** A danger is never acknowledged. */
export const isBlocking = (finding: Finding): boolean => finding.class !== 'notice' && !finding.acknowledged

/** What does not block the submission: what was acknowledged, and notices. Empty if there is nothing. */
export function noticeLines(findings: readonly Finding[], terminal: Terminal): readonly string[] {
  const others = findings.filter((finding) => !isBlocking(finding))
  const groups = [
    ['acknowledged', others.filter(({ acknowledged }) => acknowledged)],
    ['notices', others.filter(({ acknowledged }) => !acknowledged)],
  ] as const
  const lines: string[] = []
  for (const [title, group] of groups)
    if (group.length > 0) lines.push(title, ...blockerTable(group, terminal), '')
  return lines
}

/** How to submit the files as they are, if no danger blocks them. */
export function acceptHint(findings: readonly Finding[]): readonly string[] {
  const blocking = findings.filter(isBlocking)
  if (blocking.length === 0 || blocking.some((finding) => finding.class === 'danger')) return []
  const codes = [...new Set(blocking.map(({ code }) => code))]
  return [`To submit the files as they are: ${codes.map((code) => `--accept ${code}`).join(' ')}`]
}

export interface RecognisedFile {
  readonly path: string
  readonly summary: string
}

/** What the output of known tools says about itself. Empty if there is none. */
export function recognisedLines(files: readonly RecognisedFile[], terminal: Terminal): readonly string[] {
  if (files.length === 0) return []
  const { faint } = colors(terminal)
  const shown = firstLines(
    files,
    ({ path, summary }) => `  “ ${printable(JSON.stringify(summary))} ${faint(`(${printable(path)})`)}`,
  )
  return ['Stated by the files, not verified', ...shown, '']
}

export interface Blocker {
  readonly code: string
  readonly path?: string | null | undefined
  readonly message: string
  readonly remedy: string
}

/** Details that are listed for one rule. */
const MAX_DETAILS = 10

/** Blockers by rule: the problem and its fix once, then what differs from file to file. */
export function blockerTable(blockers: readonly Blocker[], terminal: Terminal): readonly string[] {
  const style = colors(terminal)
  const byRule = groupBy(groupFindings(blockers), ({ code, message, remedy }) =>
    JSON.stringify([code, remedy, firstSentence(message)]),
  )
  const width = Math.max(...blockers.map(({ code }) => code.length))
  return [...byRule.values()].flatMap((alike) => {
    const { code, remedy } = alike[0]!
    const paths = [...new Set(alike.flatMap((group) => group.paths))]
    const place = paths.length > 1 ? pluralize(paths.length, 'file') : (paths[0] ?? '(all files)')
    const message = sharedSentences(alike.map((group) => group.message))
    const details =
      alike.length > 1
        ? detailLines(alike, message.length, paths.length > 1)
        : paths.length > 1
          ? [printable(firstPathsText({ paths }))]
          : []
    const row = `  ${code.padEnd(width)}  ${printable(place)}  ${printable(message)}`
    const fix = style.good(`    → ${printable(remedy)}`)
    return [row, fix].concat(details.map((detail) => style.faint(`    ${detail}`)))
  })
}

/** What the messages of one rule do not share, each with its files. */
function detailLines(
  alike: readonly FindingGroup<Blocker>[],
  sharedLength: number,
  hasPaths: boolean,
): readonly string[] {
  const details = alike.map((group) => {
    const detail = group.message.slice(sharedLength).trim()
    return printable([hasPaths ? firstPathsText(group) : '', detail].filter(Boolean).join(': '))
  })
  const rest = details.length - MAX_DETAILS
  // "and 1 more" would take as much space as the line itself.
  if (rest <= 1) return details
  return [...details.slice(0, MAX_DETAILS), `and ${rest.toLocaleString('en')} more; --json lists all`]
}

const sentences = (text: string): readonly string[] => text.split(/(?<=\.) /)
const firstSentence = (text: string): string => sentences(text)[0] ?? ''

/** The sentences that all messages begin with: the message of the rule. */
function sharedSentences(messages: readonly string[]): string {
  const [first = [], ...others] = messages.map(sentences)
  const end = first.findIndex((sentence, at) => others.some((other) => other[at] !== sentence))
  return first.slice(0, end === -1 ? undefined : end).join(' ')
}
