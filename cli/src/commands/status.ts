import { formatBytes, verdictHeading } from '@kitseal/kit/internal'
import { type Submission, waitingText } from '@kitseal/client'
import { blockerTable, noticeLines } from '../findings-text.ts'
import type { Shown } from '../command-line.ts'
import { STATUS_WORDS, expiredText } from '../submission-result.ts'
import { SERVICE_NOTE, type ServiceCall, serviceCommand } from '../service-call.ts'
import { keySource } from '../service-settings.ts'
import { EXIT, colors, type Colors, printable, type Terminal } from '../terminal.ts'

const HELP = `usage: kitseal status [SUBMISSION] [OPTIONS]

Shows a submission with its status, evidence, blockers and deliverables. Without SUBMISSION, lists the newest submissions,
and says on standard error which service, workspace and API key are used.

OPTIONS

${SERVICE_NOTE}

exit codes: 0 success; 1 the submission is FAIL; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const NEWEST = 20

/** `kitseal status`. */
export const run = serviceCommand('status', HELP, {
  options: {
    wait: 'wait until it is PASS, FAIL or EXPIRED',
  },
  arguments: [undefined],
  read: ({ positionals: [id], has, json, reject }) => {
    reject(id === undefined && has('wait') && '--wait needs a submission ID')
    return async (call) => {
      const { client, signal, terminal } = call
      if (id === undefined) return newest(call, json ? [] : [await whoAndWhere(call)])
      const waits = { signal, timeoutMs: Infinity }
      const submission = await (has('wait')
        ? client.waitForResult(id, waits)
        : client.getSubmission(id, { signal }))
      return shownOne(submission, terminal)
    }
  },
})

/** Which service, workspace and API key are used. */
async function whoAndWhere({ client, signal, url, terminal }: ServiceCall): Promise<string> {
  const { workspace_id } = await client.me({ signal })
  return printable(`${url}, workspace ${workspace_id}, ${keySource(terminal, url)}`)
}

async function newest({ client, signal, terminal }: ServiceCall, where: readonly string[]): Promise<Shown> {
  const list = await client.listSubmissions({ limit: NEWEST }, { signal })
  const style = colors(terminal)
  const note =
    list.data.length === 0
      ? ['No submissions yet. Create one with "kitseal submit".']
      : list.next_cursor === null
        ? []
        : [`Showing the newest ${list.data.length}.`]
  const out = list.data.map(
    ({ submission_id, status, created_at, label, key_revoked_at }) =>
      `${submission_id}  ${statusText(status, style)}  ${created_at}  ${printable(label)}` +
      (key_revoked_at === null ? '' : style.bad(`  (${revokedHeading(key_revoked_at)})`)),
  )
  return { json: list, out, err: [...where, ...note] }
}

const statusText = (status: Submission['status'], style: Colors): string => {
  const text = STATUS_WORDS[status].padEnd(13)
  return status === 'PASS' ? style.good(text) : status === 'FAIL' ? style.bad(text) : text
}

function shownOne(submission: Submission, terminal: Terminal): Shown {
  const { blockers, evidence, deliverables } = submission
  const style = colors(terminal)
  const out = [
    `submission  ${submission.submission_id}`,
    `status      ${statusText(submission.status, style).trimEnd()}`,
    ...(submission.waiting == null ? [] : [`            ${printable(waitingText(submission.waiting))}`]),
    `name        ${printable(submission.label)}`,
    `profile     ${printable(submission.profile)}`,
    `created     ${submission.created_at}`,
    `updated     ${submission.updated_at}`,
    `job         ${submission.job_id}`,
    `kit         ${submission.kit_id ?? 'none'}`,
    ...keyLines(submission),
    ...holdLines(submission),
    ...(submission.status === 'EXPIRED' ? ['', expiredText(submission)] : []),
    ...titled('evidence', evidence.map(evidenceLine)),
    ...titled(
      'download with "kitseal get"',
      Object.keys(deliverables).map((name) => `  ${printable(name)}`),
    ),
    ...titled('blockers', blockers.length === 0 ? [] : blockerTable(blockers, terminal)),
    '',
    ...noticeLines(submission.findings, terminal),
    style.faint(submission.boundary),
  ]
  return { json: submission, out, exitCode: submission.status === 'FAIL' ? EXIT.fail : EXIT.ok }
}

function keyLines(submission: Submission): readonly string[] {
  const { submission_id, status, key_revoked_at, replaces, replaced_by } = submission
  return [
    ...(replaces === null ? [] : [`replaces    ${replaces.kit_id}`]),
    ...(key_revoked_at === null ? [] : [`key         ${revokedHeading(key_revoked_at)}`]),
    ...(replaced_by === null ? [] : [`replaced by ${replaced_by.submission_id}`]),
    ...(key_revoked_at !== null && replaced_by === null && status === 'PASS'
      ? [`            To re-issue the kit: kitseal reissue ${submission_id}`]
      : []),
  ]
}

function holdLines({ hold }: Submission): readonly string[] {
  return hold === null ? [] : [`hold        since ${hold.created_at}: ${printable(hold.reason)}`]
}

const revokedHeading = (revoked_at: string): string =>
  verdictHeading({ verdict: 'key_revoked', signer: { revoked_at } })

function evidenceLine({ name, sha256, size_bytes, media_type }: Submission['evidence'][number]): string {
  return `  ${sha256}  ${printable(name)}, ${formatBytes(size_bytes)}, ${printable(media_type)}`
}

const titled = (title: string, rows: readonly string[]): readonly string[] =>
  rows.length === 0 ? [] : ['', title, ...rows]
