import { SERVICE_HELP, serviceCommand } from '../service-call.ts'
import { printable } from '../terminal.ts'

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
export const run = serviceCommand('hold', HELP, {
  options: { reason: 'one', release: 'flag' },
  arguments: ['no submission given. Pass its ID'],
  read: ({ positionals: [id = ''], value, has, reject }) => {
    const reason = value('reason')
    reject(
      reason === undefined && !has('release') && 'pass --reason, or --release',
      reason !== undefined && has('release') && '--release cannot be combined with --reason',
    )
    return async ({ client, signal }) => {
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
      return { json: submission, out: [printable(text)] }
    }
  },
})
