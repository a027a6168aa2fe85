import { AREAS } from './commands/admin.ts'
import { COMMANDS, main } from './main.ts'

/** One command as its own help shows it: the single source for completion and the man page. */
export interface HelpPage {
  /** `verify`, `admin signing-key`. */
  readonly words: string
  readonly text: string
  readonly options: readonly string[]
  /** The words that may follow: `add`, `list`, `remove`. */
  readonly verbs: readonly string[]
}

export async function helpPages(): Promise<readonly HelpPage[]> {
  const names = [...Object.keys(COMMANDS), ...Object.keys(AREAS).map((area) => `admin ${area}`)]
  const pages: HelpPage[] = []
  for (const words of names) pages.push(page(words, await helpOf(words.split(' '))))
  return pages
}

export async function helpOf(words: readonly string[]): Promise<string> {
  let text = ''
  const output = { write: (part: string) => (text += part) }
  const code = await main([...words, '--help'], { env: {}, stdout: output, stderr: output })
  if (code !== 0) throw new Error(`kitseal ${words.join(' ')} has no help: ${text}`)
  return text
}

function page(words: string, text: string): HelpPage {
  // Examples show other commands too.
  const [own = ''] = text.split(/^examples?:$/m)
  const options = new Set(own.match(/(?<![\w-])--[a-z][a-z-]*/g))
  const usage = text.matchAll(new RegExp(`^(?:usage:)? +kitseal ${words} ([a-z][a-z|-]*)`, 'gm'))
  const verbs = new Set([...usage].flatMap(([, verb = '']) => verb.split('|')))
  if (words === 'admin') for (const area of Object.keys(AREAS)) verbs.add(area)
  return { words, text, options: [...options].toSorted(), verbs: [...verbs].toSorted() }
}
