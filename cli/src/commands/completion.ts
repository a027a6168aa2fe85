import { parseArguments } from '../arguments.ts'
import type { CommandTable } from '../command.ts'
import { type HelpPage, helpPages } from '../help-pages.ts'
import { EXIT, writeLines, showHelp, type Terminal, usageError } from '../terminal.ts'

const HELP = `usage: kitseal completion bash|zsh|fish

Prints a completion script for commands and options.

examples:
  source <(kitseal completion bash)
  kitseal completion zsh > "\${fpath[1]}/_kitseal"
  kitseal completion fish > ~/.config/fish/completions/kitseal.fish`

/** `kitseal completion`. */
export async function run(
  args: readonly string[],
  terminal: Terminal,
  commands: CommandTable,
): Promise<number> {
  const { positionals, problems, wantsHelp } = parseArguments(args, {})
  if (wantsHelp) return showHelp(terminal, HELP)
  const [shell = ''] = positionals
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell as keyof typeof SHELLS] : undefined
  if (script === undefined || positionals.length > 1 || problems.length > 0) {
    return usageError(terminal, 'completion', [
      ...problems,
      ...(positionals.length === 1 && script !== undefined ? [] : ['name a shell: bash, zsh or fish']),
    ])
  }
  writeLines(terminal.stdout, script(await helpPages(commands)))
  return EXIT.ok
}

type Script = (pages: readonly HelpPage[]) => readonly string[]

const SHELLS: Readonly<Record<'bash' | 'zsh' | 'fish', Script>> = {
  bash: (pages) => [
    '_kitseal() {',
    "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[*]:1:COMP_CWORD-1} words=''",
    '  if [[ $current == -* ]]; then',
    ...cases(optionCases(pages), (words) => `words='${words}'`),
    '  else',
    ...cases(wordCases(pages), (words) => `words='${words}'`),
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    // Falls back to file names.
    'complete -o default -F _kitseal kitseal',
  ],
  zsh: (pages) => [
    '#compdef kitseal',
    '_kitseal() {',
    '  local before="${words[2,CURRENT-1]}"',
    '  local -a offered',
    '  if [[ $PREFIX == -* ]]; then',
    ...cases(optionCases(pages), (words) => `offered=(${words})`),
    '  else',
    ...cases(wordCases(pages), (words) => `offered=(${words})`),
    '  fi',
    '  if (( $#offered )); then compadd -- $offered; else _files; fi',
    '}',
    // Autoloaded from $fpath it runs at once; after "source" it is only registered.
    'if [[ $funcstack[1] == _kitseal ]]; then _kitseal "$@"; else compdef _kitseal kitseal; fi',
  ],
  fish: (pages) => [
    ...topPages(pages).map(({ command }) => `complete -c kitseal -n __fish_use_subcommand -a ${command}`),
    ...pages.flatMap((page) => {
      const [first = '', second] = page.command.split(' ')
      const seen =
        second === undefined
          ? `__fish_seen_subcommand_from ${first}`
          : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
      return [
        ...page.subcommands.map((subcommand) => `complete -c kitseal -n '${seen}' -a ${subcommand}`),
        ...page.options.map((option) => `complete -c kitseal -n '${seen}' -l ${option.slice(2)}`),
      ]
    }),
  ],
}

type Case = readonly [pattern: string, words: string]

function cases(rows: readonly Case[], set: (words: string) => string): readonly string[] {
  return [
    '    case "$before" in',
    ...rows.map(([pattern, words]) => `      ${pattern}) ${set(words)} ;;`),
    '    esac',
  ]
}

/** Options complete anywhere after the command. Longest name first, because `admin` is a prefix of `admin key`. */
function optionCases(pages: readonly HelpPage[]): readonly Case[] {
  const longestFirst = pages.toSorted((a, b) => b.command.length - a.command.length)
  return [
    ...longestFirst.map(({ command, options }): Case => [`'${command}'*`, [...options, '--help'].join(' ')]),
    ["''", '--help --version'],
  ]
}

/** Subcommands complete right after the command. After that, file names. */
function wordCases(pages: readonly HelpPage[]): readonly Case[] {
  const withSubcommands = pages.filter(({ subcommands }) => subcommands.length > 0)
  return [
    ...withSubcommands.map(({ command, subcommands }): Case => [`'${command}'`, subcommands.join(' ')]),
    [
      "''",
      topPages(pages)
        .map(({ command }) => command)
        .join(' '),
    ],
  ]
}

function topPages(pages: readonly HelpPage[]): readonly HelpPage[] {
  return pages.filter(({ command }) => !command.includes(' '))
}
