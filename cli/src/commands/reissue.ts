import type { Submission } from '@kitseal/client'
import { blockerTable } from '../findings-text.ts'
import { SERVICE_NOTE, type ServiceCall, serviceCommand } from '../service-call.ts'
import { shellQuote, EXIT, pluralize, type Terminal, writeLines } from '../terminal.ts'
import { STATUS_WORDS } from '../submission-result.ts'

const HELP = `usage: kitseal reissue SUBMISSION [--url URL] [--json]
       kitseal reissue --all [--url URL] [--json]

Re-issues a kit whose signing key was revoked: a new kit with the same evidence, signed with the current key. It names the
kit it replaces in reports/reissue.json. No credit is charged.

OPTIONS

${SERVICE_NOTE}

exit codes: 0 success; 1 a kit was not re-issued; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

/** `kitseal reissue`. */
export const run = serviceCommand('reissue', HELP, {
  options: {
    all: 're-issue every kit of the workspace whose key was revoked',
  },
  arguments: [undefined],
  read: ({ positionals: [id], has, json, reject }) => {
    const all = has('all')
    reject(
      id === undefined && !all && 'no submission given. Pass its ID, or --all',
      id?.startsWith('kit_') &&
        'pass the submission ID (sub_…), not the kit ID. "kitseal status" lists submissions',
      id !== undefined && all && '--all cannot be combined with a submission',
    )
    return async (call) => {
      const ids = id === undefined ? await revokedSubmissions(call) : [id]
      const reissued: Submission[] = []
      for (const each of ids) {
        const ended = await reissue(call, each)
        reissued.push(ended)
        if (!json) writeLines(call.terminal.stdout, resultLines(ended, call.terminal))
      }
      return {
        json: all ? { submissions: reissued } : reissued[0],
        out: all ? [summary(reissued)] : [],
        exitCode: reissued.some(({ status }) => status === 'FAIL') ? EXIT.fail : EXIT.ok,
      }
    }
  },
})

async function reissue({ client, signal }: ServiceCall, id: string): Promise<Submission> {
  const { submission_id } = await client.reissueKit(id, { signal })
  return client.waitForResult(submission_id, { signal, timeoutMs: Infinity })
}

/** Submissions whose kit no longer verifies and is not re-issued yet, oldest first. */
async function revokedSubmissions({ client, signal }: ServiceCall): Promise<readonly string[]> {
  const found: string[] = []
  for await (const each of client.iterateSubmissions({ limit: 100 }, { signal }))
    if (each.status === 'PASS' && each.key_revoked_at !== null && each.replaced_by === null)
      found.push(each.submission_id)
  return found.toReversed()
}

function resultLines(ended: Submission, terminal: Terminal): readonly string[] {
  const { submission_id: id, status, kit_id, replaces, blockers } = ended
  return [
    `submission  ${id}`,
    `status      ${STATUS_WORDS[status]}`,
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
