import { paint, plain, type Terminal } from './terminal.ts'

export interface Blocker {
  readonly code: string
  readonly path?: string | null | undefined
  readonly message: string
  readonly remedy: string
}

/** Everything that stands between evidence and its kit, with what to do about each. */
export function blockerTable(blockers: readonly Blocker[], terminal: Terminal): readonly string[] {
  const style = paint(terminal)
  const rows = blockers.map(({ code, path, message, remedy }) => ({
    code,
    place: plain(path === null || path === undefined || path === '' ? '(all)' : path),
    message: plain(message),
    remedy: plain(remedy),
  }))
  const codeWidth = Math.max(4, ...rows.map(({ code }) => code.length))
  const placeWidth = Math.min(40, Math.max(4, ...rows.map(({ place }) => place.length)))
  const line = (code: string, place: string, text: string): string =>
    `  ${code.padEnd(codeWidth)}  ${place.padEnd(placeWidth)}  ${text}`.trimEnd()
  return [
    style.faint(line('CODE', 'FILE', 'WHAT IS WRONG, AND WHAT TO DO')),
    ...rows.flatMap(({ code, place, message, remedy }) => [
      line(code, place, message),
      line('', '', style.good(`→ ${remedy}`)),
    ]),
  ]
}
