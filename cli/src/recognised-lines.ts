import { colors, printable, type Terminal } from './terminal.ts'

export interface RecognisedFile {
  readonly path: string
  readonly summary: string
}

const MAX_SHOWN = 20

/** What the output of known tools says about itself. Empty if there is none. */
export function recognisedLines(files: readonly RecognisedFile[], terminal: Terminal): readonly string[] {
  if (files.length === 0) return []
  const { faint } = colors(terminal)
  const left = files.length - MAX_SHOWN
  return [
    'Stated by the files, not verified',
    ...files
      .slice(0, MAX_SHOWN)
      .map(
        ({ path, summary }) => `  “ ${printable(JSON.stringify(summary))} ${faint(`(${printable(path)})`)}`,
      ),
    ...(left > 0 ? [`  … and ${left} more. Use --json to list all.`] : []),
    '',
  ]
}
