import { parseArguments } from '../arguments.ts'
import { callService, rejectApiKeyOption, SERVICE_HELP, SERVICE_OPTIONS } from '../service-call.ts'
import { EXIT, jsonText, printable, showHelp, type Terminal, usageError, writeLines } from '../terminal.ts'

const HELP = `usage: kitseal hold SUBMISSION --reason TEXT [--url URL] [--json]
       kitseal hold SUBMISSION --release [--url URL] [--json]

Places a legal hold on a submission. While it is in place, its evidence is kept: retention does not expire it, and nobody can
delete it. A second hold changes the reason. The audit log records every change.

  --reason TEXT   why, such as the name of the case
  --release       release the hold
${SERVICE_HELP}

examples:
  kitseal hold sub_5wYvRk1oUxw2HcAjZ0pQdKfNs4E --reason "Case 2026-17"
  kitseal hold sub_5wYvRk1oUxw2HcAjZ0pQdKfNs4E --release

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

/** `kitseal hold`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals, flags, values, problems, wantsHelp } = parseArguments(args, {
    reason: 'one',
    release: 'flag',
    ...SERVICE_OPTIONS,
  })
  if (wantsHelp) return showHelp(terminal, HELP)
  const [id, ...more] = positionals
  const reason = values.get('reason')?.[0]
  const isRelease = flags.has('release')
  const wrong = [
    ...problems,
    ...rejectApiKeyOption(values),
    ...(id === undefined ? ['no submission given. Pass its ID'] : []),
    ...more.map((word) => `unexpected argument ${JSON.stringify(word)}`),
    ...(reason === undefined && !isRelease ? ['pass --reason, or --release'] : []),
    ...(reason !== undefined && isRelease ? ['--release cannot be combined with --reason'] : []),
  ]
  if (id === undefined || wrong.length > 0) return usageError(terminal, 'hold', wrong)
  const json = flags.has('json')
  const setup = { command: 'hold', url: values.get('url')?.[0], json }
  return callService(
    terminal,
    setup,
    () => undefined,
    async ({ client, signal }) => {
      if (reason === undefined) await client.releaseHold(id, { signal })
      const submission =
        reason === undefined
          ? await client.getSubmission(id, { signal })
          : await client.placeHold(id, reason, { signal })
      const { hold, submission_id } = submission
      const text =
        hold === null
          ? `${submission_id} is not under a legal hold.`
          : `${submission_id} is under a legal hold: ${hold.reason}`
      writeLines(terminal.stdout, [json ? jsonText(submission) : printable(text)])
      return EXIT.ok
    },
  )
}
