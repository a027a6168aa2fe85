import { type CommandTable, missingPart } from './command.ts'
import { ADMIN_COMMANDS } from './commands/admin.ts'

/** The help of one command: the source of the reference. */
export interface HelpPage {
  /** `verify`, `admin signing-key`. */
  readonly command: string
  readonly text: string
  readonly options: readonly string[]
  /** Subcommands: `add`, `list`, `remove`. */
  readonly subcommands: readonly string[]
}

export async function helpPages(commands: CommandTable): Promise<readonly HelpPage[]> {
  const pages: HelpPage[] = []
  for (const [prefix, table] of [['', commands] as const, ['admin ', ADMIN_COMMANDS] as const]) {
    for (const [name, [, load]] of Object.entries(table)) {
      const text = await helpText(load, commands)
      if (text !== undefined) pages.push(toPage(`${prefix}${name}`, text))
    }
  }
  return pages
}

/** Undefined for a command that this build does not include. */
async function helpText(load: CommandTable[string][1], commands: CommandTable): Promise<string | undefined> {
  let text = ''
  const output = { write: (part: string) => (text += part) }
  try {
    const command = await load()
    await command.run(['--help'], { env: {}, stdout: output, stderr: output }, commands)
    return text
  } catch (error) {
    if (missingPart(error) !== undefined) return undefined
    throw error
  }
}

function toPage(command: string, text: string): HelpPage {
  // Only the usage and the option list: examples and prose mention other commands' options.
  const [usage = ''] = text.split('\n\n')
  const listed = [usage, ...(text.match(/^ {2}--.*$/gm) ?? [])].join('\n')
  const options = new Set(listed.match(/(?<![\w-])--[a-z][a-z0-9-]*/g))
  const calls = usage.matchAll(new RegExp(`^(?:usage:)? +kitseal ${command} ([a-z][a-z|-]*)`, 'gm'))
  const subcommands = new Set([...calls].flatMap(([, subcommand = '']) => subcommand.split('|')))
  if (command === 'admin') for (const name of Object.keys(ADMIN_COMMANDS)) subcommands.add(name)
  return { command, text, options: [...options].toSorted(), subcommands: [...subcommands].toSorted() }
}
