import type { WorkspaceEvent } from '@kitseal/client'
import { SERVICE_HELP, serviceCommand } from '../service-call.ts'
import { EXIT, printable, writeLines } from '../terminal.ts'

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
export const run = serviceCommand('events', HELP, {
  options: { after: 'one', follow: 'flag' },
  arguments: [],
  read: ({ value, has, json, reject }) => {
    const after = value('after') ?? '0'
    reject(!/^\d{1,15}$/.test(after) && '--after must be a sequence number')
    return async ({ client, signal, terminal }) => {
      for await (const event of client.events({ after: Number(after), follow: has('follow'), signal }))
        writeLines(terminal.stdout, [json ? JSON.stringify(event) : lineOf(event)])
      return EXIT.ok
    }
  },
})

function lineOf({ seq, timestamp, type, actor, subject, data }: WorkspaceEvent): string {
  const details = Object.entries(data).map(([name, value]) => `${name}=${String(value)}`)
  return printable([String(seq).padStart(6), timestamp, type, subject, `by ${actor}`, ...details].join('  '))
}
