import { parseArguments } from '../arguments.ts'
import { expiredText } from '../expired-submission.ts'
import { callService, rejectApiKeyOption, SERVICE_HELP, SERVICE_OPTIONS } from '../service-call.ts'
import { EXIT, jsonText, printable, showHelp, type Terminal, usageError, writeLines } from '../terminal.ts'

const HELP = `usage: kitseal delete SUBMISSION --yes [--url URL] [--json]

Deletes the evidence of a submission. This cannot be undone. Manifest, receipt and log proof of an issued kit stay, and a signed
erasure record says what was deleted, when and by whom. A submission under a legal hold is not deleted.

  --yes           confirm that the evidence is to be deleted
${SERVICE_HELP}

examples:
  kitseal delete sub_5wYvRk1oUxw2HcAjZ0pQdKfNs4E --yes

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

/** `kitseal delete`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = { yes: 'flag', ...SERVICE_OPTIONS } as const
  const { positionals, flags, values, problems, wantsHelp } = parseArguments(args, options)
  if (wantsHelp) return showHelp(terminal, HELP)
  const [id, ...more] = positionals
  const wrong = [
    ...problems,
    ...rejectApiKeyOption(values),
    ...(id === undefined ? ['no submission given. Pass its ID'] : []),
    ...more.map((word) => `unexpected argument ${JSON.stringify(word)}`),
    ...(flags.has('yes') ? [] : ['deleting evidence cannot be undone. Pass --yes to confirm']),
  ]
  if (id === undefined || wrong.length > 0) return usageError(terminal, 'delete', wrong)
  const json = flags.has('json')
  const setup = { command: 'delete', url: values.get('url')?.[0], json }
  return callService(
    terminal,
    setup,
    () => undefined,
    async ({ client, signal }) => {
      await client.deleteSubmission(id, { signal })
      const submission = await client.getSubmission(id, { signal })
      writeLines(terminal.stdout, [json ? jsonText(submission) : printable(expiredText(submission))])
      return EXIT.ok
    },
  )
}
