import { expiredText } from '../expired-submission.ts'
import { SERVICE_HELP, serviceCommand } from '../service-call.ts'
import { printable } from '../terminal.ts'

const HELP = `usage: kitseal delete SUBMISSION --yes [--url URL] [--json]

Deletes the evidence of a submission. This cannot be undone. Manifest, receipt and log proof of an issued kit stay, and a signed
erasure record says what was deleted, when and by whom. A submission under a legal hold is not deleted.

  --yes           confirm that the evidence is to be deleted
${SERVICE_HELP}

examples:
  kitseal delete sub_5wYvRk1oUxw2HcAjZ0pQdKfNs4E --yes

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

/** `kitseal delete`. */
export const run = serviceCommand('delete', HELP, {
  options: { yes: 'flag' },
  arguments: ['no submission given. Pass its ID'],
  read: ({ positionals: [id = ''], has, reject }) => {
    reject(!has('yes') && 'deleting evidence cannot be undone. Pass --yes to confirm')
    return async ({ client, signal }) => {
      await client.deleteSubmission(id, { signal })
      const submission = await client.getSubmission(id, { signal })
      return { json: submission, out: [printable(expiredText(submission))] }
    }
  },
})
