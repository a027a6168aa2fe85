import type { Submission } from '@kitseal/client'
import { parseArguments } from '../arguments.ts'
import { blockerTable } from '../blocker-table.ts'
import {
  rejectApiKeyOption,
  callService,
  SERVICE_HELP,
  SERVICE_OPTIONS,
  type ServiceCall,
} from '../service-call.ts'
import { shellQuote } from '../shell-quote.ts'
import { EXIT, jsonText, pluralize, showHelp, type Terminal, usageError, writeLines } from '../terminal.ts'

const HELP = `usage: kitseal reissue SUBMISSION [--url URL] [--json]
       kitseal reissue --all [--url URL] [--json]

Re-issues a kit whose signing key was revoked: a new kit with the same evidence, signed with the current key. It names the
kit it replaces in reports/reissue.json. No credit is charged.

  --all           re-issue every kit of the workspace whose key was revoked
${SERVICE_HELP}

examples:
  kitseal reissue sub_5wYvRk1oUxw2HcAjZ0pQdKfNs4E
  kitseal reissue --all

exit codes: 0 success; 1 a kit was not re-issued; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

/** `kitseal reissue`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals, flags, values, problems, wantsHelp } = parseArguments(args, {
    all: 'flag',
    ...SERVICE_OPTIONS,
  })
  if (wantsHelp) return showHelp(terminal, HELP)
  const [id, ...more] = positionals
  const all = flags.has('all')
  const wrong = [
    ...problems,
    ...rejectApiKeyOption(values),
    ...more.map((word) => `unexpected argument ${JSON.stringify(word)}`),
    ...(id === undefined && !all ? ['no submission given. Pass its ID, or --all'] : []),
    ...(id?.startsWith('kit_') === true
      ? ['pass the submission ID (sub_…), not the kit ID. "kitseal status" lists submissions']
      : []),
    ...(id !== undefined && all ? ['--all cannot be combined with a submission'] : []),
  ]
  if (wrong.length > 0) return usageError(terminal, 'reissue', wrong)
  const json = flags.has('json')
  const setup = { command: 'reissue', url: values.get('url')?.[0], json }
  return callService(terminal, setup, nothingToRead, async (call) => {
    const ids = id === undefined ? await revokedSubmissions(call) : [id]
    const reissued: Submission[] = []
    for (const each of ids) {
      const ended = await reissue(call, each)
      reissued.push(ended)
      if (!json) writeLines(terminal.stdout, resultLines(ended, terminal))
    }
    if (json) writeLines(terminal.stdout, [jsonText(all ? { submissions: reissued } : reissued[0])])
    else if (all) writeLines(terminal.stdout, [summary(reissued)])
    return reissued.some(({ status }) => status === 'FAIL') ? EXIT.fail : EXIT.ok
  })
}

const nothingToRead = (): undefined => undefined

async function reissue({ client, signal }: ServiceCall, id: string): Promise<Submission> {
  const { submission_id } = await client.reissueKit(id, { signal })
  return client.waitForResult(submission_id, { signal })
}

/** Submissions whose kit no longer verifies and is not re-issued yet, oldest first. */
async function revokedSubmissions({ client, signal }: ServiceCall): Promise<readonly string[]> {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.listSubmissions({ limit: 100, ...(cursor && { cursor }) }, { signal })
    for (const { submission_id, status, key_revoked_at, replaced_by } of page.data)
      if (status === 'PASS' && key_revoked_at !== null && replaced_by === null) found.push(submission_id)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return found.toReversed()
}

function resultLines(ended: Submission, terminal: Terminal): readonly string[] {
  const { submission_id: id, status, kit_id, replaces, blockers } = ended
  return [
    `submission  ${id}`,
    `status      ${status}`,
    `replaces    ${replaces?.kit_id ?? 'none'}`,
    ...(status === 'FAIL'
      ? ['', ...blockerTable(blockers, terminal)]
      : [`kit         ${kit_id ?? 'none'}`, `download    kitseal get ${shellQuote(id)}`]),
    '',
  ]
}

function summary(reissued: readonly Submission[]): string {
  if (reissued.length === 0) return 'No kit was signed with a revoked key, or all of them are re-issued.'
  const done = reissued.filter(({ status }) => status !== 'FAIL').length
  return `Re-issued ${pluralize(done, 'kit')}. Send the new kits to everyone who has the old ones.`
}
