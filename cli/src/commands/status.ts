import type { Submission, SubmissionList } from '@kitseal/client'
import { formatBytes } from '@kitseal/kit'
import { readArguments } from '../arguments.ts'
import { blockerTable } from '../blocker-table.ts'
import {
  apiKeyProblem,
  callService,
  SERVICE_HELP,
  SERVICE_OPTIONS,
  type ServiceCall,
} from '../service-call.ts'
import {
  EXIT,
  jsonText,
  lines,
  paint,
  type Paint,
  plain,
  showHelp,
  type Terminal,
  usageError,
} from '../terminal.ts'

const HELP = `usage: kitseal status [SUBMISSION] [--wait] [--url URL] [--json]

Shows a submission: its state, its evidence, what is wrong with it, what it came to. Without one, the newest of the
workspace.

  --wait          wait until it is PASS or FAIL
${SERVICE_HELP}

examples:
  kitseal status
  kitseal status sub_5wYvRk1oUxw2HcAjZ0pQdKfNs4E --wait

exit codes: 0 shown; 1 it is FAIL, or refused; 2 wrong usage, or a service that cannot be reached`

const NEWEST = 20

/** `kitseal status`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { words, flags, values, problems, wantsHelp } = readArguments(args, {
    wait: 'flag',
    ...SERVICE_OPTIONS,
  })
  if (wantsHelp) return showHelp(terminal, HELP)
  const [id, ...more] = words
  const wrong = [
    ...problems,
    ...apiKeyProblem(values),
    ...more.map((word) => `${JSON.stringify(word)} is one argument too many`),
    ...(id === undefined && flags.has('wait') ? ['--wait is for one submission: name it'] : []),
  ]
  if (wrong.length > 0) return usageError(terminal, 'status', wrong)
  const json = flags.has('json')
  const setup = { command: 'status', url: values.get('url')?.[0], json }
  return callService(terminal, setup, nothingToRead, async (call) =>
    id === undefined
      ? showNewest(await newest(call), json, terminal)
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

function showNewest(list: SubmissionList, json: boolean, terminal: Terminal): number {
  const { stdout, stderr } = terminal
  const style = paint(terminal)
  if (json) lines(stdout, [jsonText(list)])
  else {
    lines(
      stdout,
      list.submissions.map(
        ({ submission_id, status, created_at, label }) =>
          `${submission_id}  ${statusText(status, style)}  ${created_at}  ${plain(label)}`,
      ),
    )
    if (list.submissions.length === 0)
      lines(stderr, ['There is no submission yet: "kitseal submit" makes one.'])
    else if (list.next_cursor !== null)
      lines(stderr, [`These are the newest ${list.submissions.length}; there are more.`])
  }
  return EXIT.ok
}

const statusText = (status: Submission['status'], style: Paint): string => {
  const text = status.padEnd(7)
  return status === 'PASS' ? style.good(text) : status === 'FAIL' ? style.bad(text) : text
}

function showOne(submission: Submission, json: boolean, terminal: Terminal): number {
  const exitCode = submission.status === 'FAIL' ? EXIT.fail : EXIT.ok
  if (json) {
    lines(terminal.stdout, [jsonText(submission)])
    return exitCode
  }
  const { blockers, evidence, deliverables } = submission
  const style = paint(terminal)
  lines(terminal.stdout, [
    `submission  ${submission.submission_id}`,
    `status      ${statusText(submission.status, style).trimEnd()}`,
    `label       ${plain(submission.label)}`,
    `profile     ${plain(submission.profile)}`,
    `created     ${submission.created_at}`,
    `updated     ${submission.updated_at}`,
    `job         ${submission.job_id}`,
    `kit         ${submission.kit_id ?? 'none'}`,
    `credits     ${submission.credits_charged}`,
    ...titled('evidence', evidence.map(evidenceLine)),
    ...titled(
      'to be had with "kitseal get"',
      Object.keys(deliverables).map((name) => `  ${plain(name)}`),
    ),
    ...titled('blockers', blockers.length === 0 ? [] : blockerTable(blockers, terminal)),
    '',
    style.faint(submission.boundary),
  ])
  return exitCode
}

function evidenceLine({ name, sha256, size_bytes, media_type }: Submission['evidence'][number]): string {
  return `  ${sha256}  ${plain(name)}, ${formatBytes(size_bytes)}, ${plain(media_type)}`
}

const titled = (title: string, rows: readonly string[]): readonly string[] =>
  rows.length === 0 ? [] : ['', title, ...rows]
