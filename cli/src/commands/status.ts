import { formatBytes, verdictHeading } from '@kitseal/kit'
import type { Submission, SubmissionList } from '@kitseal/client'
import { parseArguments } from '../arguments.ts'
import { blockerTable } from '../blocker-table.ts'
import { noticeLines } from '../finding-lists.ts'
import { expiredText } from '../expired-submission.ts'
import {
  rejectApiKeyOption,
  callService,
  SERVICE_HELP,
  SERVICE_OPTIONS,
  type ServiceCall,
} from '../service-call.ts'
import { knownApiKey } from '../service-settings.ts'
import {
  EXIT,
  jsonText,
  writeLines,
  colors,
  type Colors,
  printable,
  showHelp,
  type Terminal,
  usageError,
} from '../terminal.ts'

const HELP = `usage: kitseal status [SUBMISSION] [--wait] [--url URL] [--json]

Shows a submission with its status, evidence, blockers and deliverables. Without SUBMISSION, lists the newest submissions,
and says on standard error which service, workspace and API key are used.

  --wait          wait until it is PASS, FAIL or EXPIRED
${SERVICE_HELP}

examples:
  kitseal status
  kitseal status sub_5wYvRk1oUxw2HcAjZ0pQdKfNs4E --wait

exit codes: 0 success; 1 the submission is FAIL; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const NEWEST = 20

/** `kitseal status`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals, flags, values, problems, wantsHelp } = parseArguments(args, {
    wait: 'flag',
    ...SERVICE_OPTIONS,
  })
  if (wantsHelp) return showHelp(terminal, HELP)
  const [id, ...more] = positionals
  const wrong = [
    ...problems,
    ...rejectApiKeyOption(values),
    ...more.map((word) => `unexpected argument ${JSON.stringify(word)}`),
    ...(id === undefined && flags.has('wait') ? ['--wait needs a submission ID'] : []),
  ]
  if (wrong.length > 0) return usageError(terminal, 'status', wrong)
  const json = flags.has('json')
  const setup = { command: 'status', url: values.get('url')?.[0], json }
  return callService(terminal, setup, nothingToRead, async (call) =>
    id === undefined
      ? showNewest(await newest(call), json, terminal, await whoAndWhere(call, json, terminal))
      : showOne(await one(call, id, flags.has('wait')), json, terminal),
  )
}

const nothingToRead = (): undefined => undefined

function newest({ client, signal }: ServiceCall): Promise<SubmissionList> {
  return client.listSubmissions({ limit: NEWEST }, { signal })
}

function one({ client, signal }: ServiceCall, id: string, wait: boolean): Promise<Submission> {
  return wait ? client.waitForResult(id, { signal }) : client.getSubmission(id, { signal })
}

/** Which service, workspace and API key are used. */
async function whoAndWhere(call: ServiceCall, json: boolean, terminal: Terminal): Promise<string> {
  if (json) return ''
  const { workspace_id } = await call.client.me({ signal: call.signal })
  const isFromEnvironment = (terminal.env['KITSEAL_API_KEY'] ?? '') !== ''
  const isStored = knownApiKey(terminal, call.url) !== undefined
  const key = isFromEnvironment ? 'API key from KITSEAL_API_KEY' : isStored ? 'logged in' : 'API key typed'
  return printable(`${call.url}, workspace ${workspace_id}, ${key}`)
}

function showNewest(list: SubmissionList, json: boolean, terminal: Terminal, where: string): number {
  const { stdout, stderr } = terminal
  if (where !== '') writeLines(stderr, [where])
  const style = colors(terminal)
  if (json) writeLines(stdout, [jsonText(list)])
  else {
    writeLines(
      stdout,
      list.data.map(
        ({ submission_id, status, created_at, label, key_revoked_at }) =>
          `${submission_id}  ${statusText(status, style)}  ${created_at}  ${printable(label)}` +
          (key_revoked_at === null ? '' : style.bad(`  (${revokedHeading(key_revoked_at)})`)),
      ),
    )
    if (list.data.length === 0) writeLines(stderr, ['No submissions yet. Create one with "kitseal submit".'])
    else if (list.next_cursor !== null) writeLines(stderr, [`Showing the newest ${list.data.length}.`])
  }
  return EXIT.ok
}

const statusText = (status: Submission['status'], style: Colors): string => {
  const text = status.padEnd(7)
  return status === 'PASS' ? style.good(text) : status === 'FAIL' ? style.bad(text) : text
}

function showOne(submission: Submission, json: boolean, terminal: Terminal): number {
  const exitCode = submission.status === 'FAIL' ? EXIT.fail : EXIT.ok
  if (json) {
    writeLines(terminal.stdout, [jsonText(submission)])
    return exitCode
  }
  const { blockers, evidence, deliverables } = submission
  const style = colors(terminal)
  writeLines(terminal.stdout, [
    `submission  ${submission.submission_id}`,
    `status      ${statusText(submission.status, style).trimEnd()}`,
    `label       ${printable(submission.label)}`,
    `profile     ${printable(submission.profile)}`,
    `created     ${submission.created_at}`,
    `updated     ${submission.updated_at}`,
    `job         ${submission.job_id}`,
    `kit         ${submission.kit_id ?? 'none'}`,
    ...keyLines(submission),
    `credits     ${submission.credits_charged}`,
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
  ])
  return exitCode
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
