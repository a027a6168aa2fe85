import type { OptionKind } from './arguments.ts'

/**
 * The options of a command, by name: `'FILE  where to write it'` takes a value, `'TAG…  a tag'` can be repeated, and `'print alerts only'`
 * takes none. They parse the arguments and are printed in the help. `one`, `many` and `flag` are not printed.
 */
export type Options<Name extends string> = Readonly<Record<Name, string>>

const DESCRIBED = /^('[^']*'\u2026?|\S+) {2}(.*)$/

export function kindOf(option: string): OptionKind {
  if (option === 'one' || option === 'many' || option === 'flag') return option
  const [, value] = DESCRIBED.exec(option) ?? []
  return value === undefined ? 'flag' : value.endsWith('…') ? 'many' : 'one'
}

const WIDTH = 120
const LABEL_WIDTH = 28

/** The help with its options, in place of `[OPTIONS]` in the usage and of the line `OPTIONS`. */
export function helpText(help: string, options: Options<string>): string {
  const rows = Object.entries(options)
    .filter(([, option]) => option !== kindOf(option))
    .map(([name, option]) => {
      const [, value = '', text = option] = DESCRIBED.exec(option) ?? []
      const label = `--${name} ${value.replace('…', '')}`.trimEnd()
      return { name, label, text, mark: value.endsWith('…') ? '…' : '' }
    })
  const width = Math.min(LABEL_WIDTH, Math.max(...rows.map(({ label }) => label.length)))
  const table = rows.map(({ label, text }) =>
    folded([`  ${label.padEnd(width)} `, ...text.split(' ')], width + 4),
  )
  const [usage = '', ...paragraphs] = help.split('\n\n')
  const unnamed = rows.filter(({ name }) => !new RegExp(`--${name}(?![a-z-])`).test(usage))
  const unnamedOptions = unnamed.map(({ label, mark }) => `[${label}]${mark}`)
  const words = usage.split(' ').flatMap((word) => (word === '[OPTIONS]' ? unnamedOptions : word))
  return [usage.includes('[OPTIONS]') ? folded(words, 7) : usage, ...paragraphs]
    .join('\n\n')
    .replace(/^OPTIONS$/m, () => table.join('\n'))
}

/** Words in lines, of which those after the first are indented. */
function folded([first = '', ...words]: readonly string[], indent: number): string {
  const lines = [first]
  for (const word of words) {
    const last = lines.at(-1) ?? ''
    if (last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(' '.repeat(indent) + word)
  }
  return lines.join('\n')
}
