import type { WorkspaceEvent } from '@kitseal/client'
import { parseArguments } from '../arguments.ts'
import { callService, rejectApiKeyOption, SERVICE_HELP, SERVICE_OPTIONS } from '../service-call.ts'
import { EXIT, printable, showHelp, type Terminal, usageError, writeLines } from '../terminal.ts'

const HELP = `usage: kitseal events [--after SEQ] [--follow] [--url URL] [--json]

Prints what happened in the workspace, oldest first and without gaps: one line per event.

  --after SEQ     start after this sequence number (default: 0, from the beginning)
  --follow        wait for new events, until you press Ctrl+C
${SERVICE_HELP}

With --json, each line is one event as JSON.

examples:
  kitseal events --after 1402
  kitseal events --follow --json | jq 'select(.type == "submission.passed").data.kit_id'

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

/** `kitseal events`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals, flags, values, problems, wantsHelp } = parseArguments(args, {
    after: 'one',
    follow: 'flag',
    ...SERVICE_OPTIONS,
  })
  if (wantsHelp) return showHelp(terminal, HELP)
  const after = values.get('after')?.[0] ?? '0'
  const wrong = [
    ...problems,
    ...rejectApiKeyOption(values),
    ...positionals.map((word) => `unexpected argument ${JSON.stringify(word)}`),
    ...(/^\d{1,15}$/.test(after) ? [] : ['--after must be a sequence number']),
  ]
  if (wrong.length > 0) return usageError(terminal, 'events', wrong)
  const json = flags.has('json')
  const setup = { command: 'events', url: values.get('url')?.[0], json }
  return callService(
    terminal,
    setup,
    () => undefined,
    async ({ client, signal }) => {
      const options = { after: Number(after), follow: flags.has('follow'), signal }
      for await (const event of client.events(options))
        writeLines(terminal.stdout, [json ? JSON.stringify(event) : lineOf(event)])
      return EXIT.ok
    },
  )
}

function lineOf({ seq, timestamp, type, actor, subject, data }: WorkspaceEvent): string {
  const details = Object.entries(data).map(([name, value]) => `${name}=${String(value)}`)
  return printable([String(seq).padStart(6), timestamp, type, subject, `by ${actor}`, ...details].join('  '))
}
