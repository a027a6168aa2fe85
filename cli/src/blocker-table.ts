import { firstPathsText, groupFindings } from '@kitseal/evidence/group-findings'
import { colors, pluralize, printable, type Terminal } from './terminal.ts'

export interface Blocker {
  readonly code: string
  readonly path?: string | null | undefined
  readonly message: string
  readonly remedy: string
}

const MAX_PATH_WIDTH = 40
const MIN_TEXT_WIDTH = 40

/** A table of blockers, each with its fix. Those that differ in their file alone are one row. */
export function blockerTable(blockers: readonly Blocker[], terminal: Terminal): readonly string[] {
  const style = colors(terminal)
  const rows = groupFindings(blockers).map((group) => ({
    code: group.code,
    place:
      group.paths.length > 1
        ? pluralize(group.paths.length, 'file')
        : printable(group.paths[0] ?? '(all files)'),
    message: printable(group.message),
    remedy: printable(group.remedy),
    files: group.paths.length > 1 ? printable(firstPathsText(group)) : undefined,
  }))
  const codeWidth = Math.max(4, ...rows.map(({ code }) => code.length))
  const placeWidth = Math.min(MAX_PATH_WIDTH, Math.max(4, ...rows.map(({ place }) => place.length)))
  const textAt = codeWidth + placeWidth + 6
  const columns = terminal.stdout.isTTY === true ? (terminal.stdout.columns ?? Infinity) : Infinity
  const textWidth = Math.max(MIN_TEXT_WIDTH, columns - textAt)
  const lines = (code: string, place: string, text: string): readonly string[] =>
    wrap(text, textWidth).map((part, at) =>
      at === 0
        ? `  ${code.padEnd(codeWidth)}  ${place.padEnd(placeWidth)}  ${part}`
        : `${' '.repeat(textAt)}${part}`,
    )
  const table = lines('CODE', 'FILE', 'PROBLEM AND FIX').map(style.faint)
  for (const { code, place, message, remedy, files } of rows) {
    table.push(...lines(code, place, message), ...lines('', '', `→ ${remedy}`).map(style.good))
    if (files !== undefined) table.push(...lines('', '', files).map(style.faint))
  }
  return table
}

/** Wraps between words. A word longer than the width stays whole. */
function wrap(text: string, width: number): readonly string[] {
  const parts: string[] = []
  for (const word of text.split(' ')) {
    const last = parts.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) parts.push(word)
    else parts[parts.length - 1] = `${last} ${word}`
  }
  return parts
}
