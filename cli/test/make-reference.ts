// `node cli/test/make-reference.ts` writes docs/reference/cli.md from the help of the commands.
import { readFileSync, writeFileSync } from 'node:fs'
import type { CommandTable } from '../src/command-line.ts'
import { ADMIN_COMMANDS } from '../src/commands/admin.ts'
import { COMMANDS } from '../src/main.ts'

export const REFERENCE = new URL('../../docs/reference/cli.md', import.meta.url)

/** The help of one command. */
export interface HelpPage {
  /** `verify`, `admin signing-key`. */
  readonly command: string
  readonly text: string
}

export async function helpPages(): Promise<readonly HelpPage[]> {
  const pages = await Promise.all([pagesOf('', COMMANDS), pagesOf('admin ', ADMIN_COMMANDS)])
  return pages.flat()
}

const pagesOf = (prefix: string, table: CommandTable): Promise<readonly HelpPage[]> =>
  Promise.all(
    Object.entries(table).map(async ([name, [, load]]) => {
      let text = ''
      const output = { write: (part: string | Uint8Array) => (text += String(part)) }
      await (await load()).run(['--help'], { env: {}, stdout: output, stderr: output })
      return { command: `${prefix}${name}`, text }
    }),
  )

/** The page with a section for each command. What comes before them is written by hand. */
export async function cliReference(): Promise<string> {
  const [introduction = ''] = readFileSync(REFERENCE, 'utf8').split('\n## kitseal ', 1)
  return [introduction, ...(await helpPages()).map(section)].join('\n')
}

function section({ command, text }: HelpPage): string {
  const [usage = '', ...paragraphs] = text.trimEnd().split('\n\n')
  const calls = usage
    .replace(/^usage: +/, '')
    .replaceAll(/ \[--(?:url URL|json|data DIR)\]/g, '')
    .replaceAll(/^ {7}(?=kitseal)|^ +$/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
  const about = ABOUT[command] ?? firstSentence(paragraphs.find((each) => /^["A-Z]/.test(each)) ?? '')
  const unnamed = Array.from(text.matchAll(OPTION), ([, label = '', name = '']) => ({ label, name }))
    .filter(({ name }) => !COMMON.has(name) && !calls.includes(name))
    .map(({ label }) => `       [${label}]`)
  const lines = command === 'serve' ? [calls.trimEnd()] : [calls.trimEnd(), ...unnamed]
  const block = lines.join('') === `kitseal ${command}` ? [] : [`\`\`\`text\n${lines.join('\n')}\n\`\`\``]
  return `${[`## kitseal ${command}`, about, ...block].filter((part) => part !== '').join('\n\n')}\n`
}

const OPTION = /^ {2}((--[a-z0-9-]+)(?: [A-Z'on][^ ]*)?) {2}/gm
const COMMON: ReadonlySet<string> = new Set(['--url', '--json', '--data'])

const ABOUT: Readonly<Record<string, string>> = {
  serve: 'Runs the service until it is stopped. Every [setting](settings.md) is an option.',
  admin: 'The commands for operators are below. The service may be running.',
}

const firstSentence = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/(?<=[^.]\.) .*/, '')
    .replace(/(?<=.{40}): .*/, '.')

if (import.meta.main) writeFileSync(REFERENCE, await cliReference())
