import type { Given, Run, Shown } from './command-line.ts'
import { type ServiceCall, serviceCommand } from './service-call.ts'
import { printable } from './terminal.ts'

export const SCOPES = ['submit', 'read', 'requests', 'shares', 'admin'] as const
type Scope = (typeof SCOPES)[number]

/** The scopes of --scope, separated by commas. */
export function scopesIn({ value, reject }: Given<'scope'>): readonly Scope[] | undefined {
  const names = value('scope')?.split(',')
  for (const name of names ?? [])
    if (!SCOPES.some((scope) => scope === name))
      reject(`--scope: ${JSON.stringify(name)} is not a scope. Scopes are ${SCOPES.join(', ')}`)
  return names && SCOPES.filter((scope) => names.includes(scope))
}

/** A command that lists something: one line for each, or the page as the API returns it. */
export function listCommand<Row>(
  name: string,
  help: string,
  read: (call: ServiceCall) => Promise<{ readonly data: readonly Row[] }>,
  cells: (row: Row) => readonly string[],
  none: string,
): Run {
  return serviceCommand(name, help, {
    arguments: [],
    read: () => async (call) => {
      const page = await read(call)
      const out = page.data.map((row) => printable(cells(row).join('  ')))
      return { json: page, out, err: out.length === 0 ? [none] : [] }
    },
  })
}

/** A command about one thing that is named by its ID. */
export function idCommand(
  name: string,
  help: string,
  missing: string,
  act: (call: ServiceCall, id: string) => Promise<Shown>,
): Run {
  return serviceCommand(name, help, {
    arguments: [missing],
    read:
      ({ positionals: [id = ''] }) =>
      (call) =>
        act(call, id),
  })
}
