export interface Command {
  readonly is: 'command'
  readonly verb: 'list' | 'rotate' | 'retire' | 'revoke'
  /** Empty where the verb takes none. */
  readonly kid: string
  readonly data: string | undefined
  readonly json: boolean
  readonly replace: boolean
}

export type Read =
  | Command
  | { readonly is: 'help' }
  | { readonly is: 'wrong'; readonly problems: readonly string[] }

export const USAGE_TEXT = `usage: kitseal admin signing-key list                    show every key and its state
       kitseal admin signing-key rotate                  make a new key; the old one is retired
       kitseal admin signing-key retire KID [--replace]  end a key; what it signed still verifies
       kitseal admin signing-key revoke KID              disown a key; what it signed FAILs from then on

  --data DIR   the service's data (default: KITSEAL_DATA, or ./data)
  --json       the answer as JSON
  --replace    retire the active key and make a new one in the same step
`

const VERBS = ['list', 'rotate', 'retire', 'revoke'] as const
const TAKES_KID = new Set(['retire', 'revoke'])

/** A kid is base64url and may begin with a dash: it is told by its length, before options are. */
const KID = /^[A-Za-z0-9_-]{43}$/

export function readCommand(args: readonly string[]): Read {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) return { is: 'help' }
  const [first, ...rest] = args
  const verb = VERBS.find((known) => known === first)
  if (verb === undefined) return { is: 'wrong', problems: [`there is no "${first}".`] }
  const { options, words, problems } = readOptions(rest)
  const [kid = '', ...more] = words
  if (TAKES_KID.has(verb) && kid === '') problems.push(`${verb} needs the KID of a key.`)
  for (const word of TAKES_KID.has(verb) ? more : words) problems.push(`"${word}" is not expected here.`)
  if (options.replace && verb !== 'retire') problems.push('--replace goes with retire.')
  return problems.length > 0 ? { is: 'wrong', problems } : { is: 'command', verb, kid, ...options }
}

interface Options {
  data: string | undefined
  json: boolean
  replace: boolean
}

function readOptions(args: readonly string[]): { options: Options; words: string[]; problems: string[] } {
  const options: Options = { data: undefined, json: false, replace: false }
  const words: string[] = []
  const problems: string[] = []
  const left = [...args]
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (KID.test(arg)) words.push(arg)
    else if (arg === '--json') options.json = true
    else if (arg === '--replace') options.replace = true
    else if (arg === '--data' || arg.startsWith('--data=')) {
      options.data = arg === '--data' ? left.shift() : arg.slice('--data='.length)
      if (options.data === undefined || options.data === '') problems.push('--data needs a folder.')
    } else if (arg.startsWith('-')) problems.push(`there is no option ${arg}.`)
    else words.push(arg)
  }
  return { options, words, problems }
}
