import { AREAS } from './commands/admin.ts'
import { COMMANDS, main, WITHOUT_SERVICE } from './main.ts'

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
  for (const words of names) {
    const text = await helpOf(words.split(' '))
    if (text !== undefined) pages.push(page(words, text))
  }
  return pages
}

/** Undefined for what this build cannot do. */
async function helpOf(words: readonly string[]): Promise<string | undefined> {
  let text = ''
  const output = { write: (part: string) => (text += part) }
  const code = await main([...words, '--help'], { env: {}, stdout: output, stderr: output })
  if (text.includes(WITHOUT_SERVICE)) return undefined
  if (code !== 0) throw new Error(`kitseal ${words.join(' ')} has no help: ${text}`)
  return text
}

function page(words: string, text: string): HelpPage {
  // Examples and sentences speak of other commands too.
  const [usage = ''] = text.split('\n\n')
  const listed = [usage, ...(text.match(/^ {2}--.*$/gm) ?? [])].join('\n')
  const options = new Set(listed.match(/(?<![\w-])--[a-z][a-z0-9-]*/g))
  const calls = usage.matchAll(new RegExp(`^(?:usage:)? +kitseal ${words} ([a-z][a-z|-]*)`, 'gm'))
  const verbs = new Set([...calls].flatMap(([, verb = '']) => verb.split('|')))
  if (words === 'admin') for (const area of Object.keys(AREAS)) verbs.add(area)
  return { words, text, options: [...options].toSorted(), verbs: [...verbs].toSorted() }
}
