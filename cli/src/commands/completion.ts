import { readArguments } from '../arguments.ts'
import { type HelpPage, helpPages } from '../help-tree.ts'
import { EXIT, lines, type Terminal, usageError } from '../terminal.ts'

const HELP = `usage: kitseal completion bash|zsh|fish

Prints the completion of every command, verb and option for a shell.

examples:
  source <(kitseal completion bash)
  kitseal completion zsh > "\${fpath[1]}/_kitseal"
  kitseal completion fish > ~/.config/fish/completions/kitseal.fish`

/** `kitseal completion`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { words, flags, problems } = readArguments(args, { help: 'flag', h: 'flag' })
  if (flags.has('help') || flags.has('h')) {
    lines(terminal.stdout, [HELP])
    return EXIT.ok
  }
  const [shell = ''] = words
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell as keyof typeof SHELLS] : undefined
  if (script === undefined || words.length > 1 || problems.length > 0) {
    return usageError(terminal, 'completion', [
      ...problems,
      ...(words.length === 1 && script !== undefined ? [] : ['name one shell: bash, zsh or fish']),
    ])
  }
  lines(terminal.stdout, script(await helpPages()))
  return EXIT.ok
}

type Script = (pages: readonly HelpPage[]) => readonly string[]

const SHELLS: Readonly<Record<'bash' | 'zsh' | 'fish', Script>> = {
  bash: (pages) => [
    '_kitseal() {',
    "  local current=${COMP_WORDS[COMP_CWORD]} words=''",
    '  case "${COMP_WORDS[*]:1:COMP_CWORD-1}" in',
    ...longestFirst(pages).map((page) => `    '${page.words}'*) words='${following(page)}' ;;`),
    `    '') words='${topWords(pages)}' ;;`,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))',
    '}',
    'complete -o filenames -F _kitseal kitseal',
  ],
  zsh: (pages) => [
    '#compdef kitseal',
    '_kitseal() {',
    '  local -a options',
    '  case "${words[2,CURRENT-1]}" in',
    ...longestFirst(pages).map((page) => `    '${page.words}'*) options=(${following(page)}) ;;`),
    `    '') options=(${topWords(pages)}) ;;`,
    '  esac',
    '  compadd -- $options',
    '  _files',
    '}',
    'compdef _kitseal kitseal',
  ],
  fish: (pages) => [
    ...topPages(pages).map(({ words }) => `complete -c kitseal -n __fish_use_subcommand -a ${words}`),
    ...pages.flatMap((page) => {
      const [first = '', second] = page.words.split(' ')
      const seen =
        second === undefined
          ? `__fish_seen_subcommand_from ${first}`
          : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
      return [
        ...page.verbs.map((verb) => `complete -c kitseal -n '${seen}' -a ${verb}`),
        ...page.options.map((option) => `complete -c kitseal -n '${seen}' -l ${option.slice(2)}`),
      ]
    }),
  ],
}

function longestFirst(pages: readonly HelpPage[]): readonly HelpPage[] {
  return pages.toSorted((a, b) => b.words.length - a.words.length)
}

function topPages(pages: readonly HelpPage[]): readonly HelpPage[] {
  return pages.filter(({ words }) => !words.includes(' '))
}

function topWords(pages: readonly HelpPage[]): string {
  return [...topPages(pages).map(({ words }) => words), '--help', '--version'].join(' ')
}

function following({ verbs, options }: HelpPage): string {
  return [...verbs, ...options, '--help'].join(' ')
}
