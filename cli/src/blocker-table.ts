import { paint, plain, type Terminal } from './terminal.ts'

export interface Blocker {
  readonly code: string
  readonly path?: string | null | undefined
  readonly message: string
  readonly remedy: string
}

const WIDEST_PLACE = 40
const NARROWEST_TEXT = 40

/** Everything that stands between evidence and its kit, with what to do about each. */
export function blockerTable(blockers: readonly Blocker[], terminal: Terminal): readonly string[] {
  const style = paint(terminal)
  const rows = blockers.map(({ code, path, message, remedy }) => ({
    code,
    place: plain(path === null || path === undefined || path === '' ? '(all of it)' : path),
    message: plain(message),
    remedy: plain(remedy),
  }))
  const codeWidth = Math.max(4, ...rows.map(({ code }) => code.length))
  const placeWidth = Math.min(WIDEST_PLACE, Math.max(4, ...rows.map(({ place }) => place.length)))
  const textAt = codeWidth + placeWidth + 6
  const columns = terminal.stdout.isTTY === true ? (terminal.stdout.columns ?? Infinity) : Infinity
  const textWidth = Math.max(NARROWEST_TEXT, columns - textAt)
  const lines = (code: string, place: string, text: string): readonly string[] =>
    wrapped(text, textWidth).map((part, at) =>
      at === 0
        ? `  ${code.padEnd(codeWidth)}  ${place.padEnd(placeWidth)}  ${part}`
        : `${' '.repeat(textAt)}${part}`,
    )
  const table = lines('CODE', 'FILE', 'WHAT IS WRONG, AND WHAT TO DO').map(style.faint)
  for (const { code, place, message, remedy } of rows) {
    table.push(...lines(code, place, message), ...lines('', '', `→ ${remedy}`).map(style.good))
  }
  return table
}

/** Broken between words. A word that is longer than the width stays whole. */
function wrapped(text: string, width: number): readonly string[] {
  const parts: string[] = []
  for (const word of text.split(' ')) {
    const last = parts.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) parts.push(word)
    else parts[parts.length - 1] = `${last} ${word}`
  }
  return parts
}
