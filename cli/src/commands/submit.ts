import { accessSync, constants, existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Submission } from '@kitseal/client'
import type { VerificationReport } from '@kitseal/kit'
import { makeFolder } from '@kitseal/kit/node'
import { formatBytes } from '@kitseal/kit'
import { kidProblems, readArguments } from '../arguments.ts'
import { blockerTable } from '../blocker-table.ts'
import { type DownloadTrust, TRUST_HELP, TRUST_OPTIONS, trustLine } from '../download-trust.ts'
import { fetchKit } from '../fetch-kit.ts'
import { gatherEvidence, type GatheredFile } from '../gather-evidence.ts'
import { Interrupted } from '../interruption.ts'
import { kitFileName } from '../kept-file.ts'
import { reason, UnreadableInput } from '../unreadable-input.ts'
import { type ReadersKeys, readersKeys } from '../readers-keys.ts'
import {
  apiKeyProblem,
  callService,
  SERVICE_HELP,
  SERVICE_OPTIONS,
  type ServiceCall,
} from '../service-call.ts'
import { shellWord } from '../shell-word.ts'
import {
  counted,
  EXIT,
  jsonText,
  lines,
  paint,
  plain,
  showHelp,
  type Terminal,
  usageError,
} from '../terminal.ts'
import { transferProgress } from '../transfer-progress.ts'

const HELP = `usage: kitseal submit PATH… [--label LABEL] [--profile PROFILE] [--out DIR] [--url URL] [--json]

Sends evidence to a service, waits for the verdict, and on PASS downloads the kit and verifies it. A path is a file, a
zip, or a folder, which is packed on the way: the same folder is always the same archive.

  --label LABEL   what this is, in one line (default: the name of the first path)
  --profile NAME  what the evidence must contain (default: the profile "default", which asks for nothing)
  --out DIR       where the kit goes (default: this folder)
${TRUST_HELP}
${SERVICE_HELP}

Without --jwks and --kid, the keys that you have pinned for the issuer with "kitseal trust add" count; without any, the
keys that the service itself publishes, and the output says so.

examples:
  kitseal submit report.pdf access-review.xlsx --label "Access review, third quarter"
  kitseal submit evidence --url https://kitseal.example --out kits
  kitseal submit evidence.zip --json

exit codes: 0 PASS, and the kit was verified; 1 FAIL, or refused; 2 wrong usage, input that cannot be read, or a service
that cannot be reached; 130 interrupted`

interface Order {
  readonly files: readonly GatheredFile[]
  readonly label: string
  readonly profile: string | undefined
  readonly out: string
  readonly keys: ReadersKeys
  readonly json: boolean
}

/** `kitseal submit`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = { label: 'one', profile: 'one', out: 'one', ...TRUST_OPTIONS, ...SERVICE_OPTIONS } as const
  const { words, flags, values, problems, wantsHelp } = readArguments(args, options)
  if (wantsHelp) return showHelp(terminal, HELP)
  const kids = values.get('kid') ?? []
  const wrong = [
    ...problems,
    ...apiKeyProblem(values),
    ...(words.length === 0 ? ['what is to be sent? Name files, folders or a zip'] : []),
    ...kidProblems(kids),
  ]
  if (wrong.length > 0) return usageError(terminal, 'submit', wrong)
  const json = flags.has('json')
  const readOrder = async (): Promise<Order> => {
    const out = await outFolder(values.get('out')?.[0] ?? '.')
    const files = gatherEvidence(words)
    const keys = await readersKeys(values.get('jwks') ?? [], kids, terminal)
    const label = values.get('label')?.[0] ?? defaultLabel(words)
    return { files, label, profile: values.get('profile')?.[0], out, keys, json }
  }
  const setup = { command: 'submit', url: values.get('url')?.[0], json }
  return callService(terminal, setup, readOrder, (call, order) => submit(call, order, terminal))
}

const LONGEST_LABEL = 200

/** As much of the name as a label may hold: whoever gave no label is not to be told that it is wrong. */
function defaultLabel([first = '', ...more]: readonly string[]): string {
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  const name = [...plain(basename(resolve(first)) || 'evidence')]
  const room = LONGEST_LABEL - others.length
  return (name.length <= room ? name.join('') : `${name.slice(0, room - 1).join('')}…`) + others
}

/** As the user's own settings have it: whoever is given a kit may read it. */
const AS_USUAL = 0o777

async function outFolder(folder: string): Promise<string> {
  try {
    await makeFolder(folder, AS_USUAL)
    // Before anything is sent: a kit that has no place to go has been paid for.
    accessSync(folder, constants.W_OK | constants.X_OK)
    return folder
  } catch (error) {
    throw new UnreadableInput(`${folder} cannot be written to: ${reason(error)}`)
  }
}

async function submit(call: ServiceCall, order: Order, terminal: Terminal): Promise<number> {
  const { client, signal } = call
  const { label, profile } = order
  const created = await client.createSubmission(
    { label, ...(profile === undefined ? {} : { profile }) },
    { signal },
  )
  const say = (text: string): void => lines(terminal.stderr, [text])
  say(`${created.submission_id}  ${plain(created.label)}`)
  let known: Submission = created
  try {
    await send(call, created.submission_id, order.files, terminal)
    const onStatus = (now: Submission): void => {
      known = now
      say(now.status)
    }
    const ended = await client.waitForResult(created.submission_id, { signal, onStatus })
    return ended.status === 'PASS'
      ? await kitOf(call, ended, order, terminal)
      : failed(ended, order, terminal)
  } catch (error) {
    if (error instanceof Interrupted) say(await stateAfter(call, known))
    else if (known.status === 'PASS') say(whereKitIs(known))
    throw error
  }
}

async function send(
  { client, signal }: ServiceCall,
  submissionId: string,
  files: readonly GatheredFile[],
  terminal: Terminal,
): Promise<void> {
  const progress = transferProgress(terminal, 'sending')
  try {
    await client.uploadEvidence(submissionId, files, { signal, onProgress: progress.at })
  } finally {
    progress.clear()
  }
  for (const { name, sizeBytes, packedFiles } of files) {
    const packed = packedFiles === undefined ? '' : `, ${counted(packedFiles, 'file')} packed`
    lines(terminal.stderr, [`sent ${plain(name)}, ${formatBytes(sizeBytes)}${packed}`])
  }
}

async function kitOf(
  call: ServiceCall,
  submission: Submission,
  { out, keys, json }: Order,
  terminal: Terminal,
): Promise<number> {
  const kitId = submission.kit_id ?? ''
  const path = join(out, kitFileName(kitId))
  if (existsSync(path)) throw new UnreadableInput(`${path} is there already`)
  const { report, trust } = await fetchKit(call, { kitId, path, keys }, terminal)
  return report.status === 'PASS'
    ? passed(submission, path, report, trust, call.url, json, terminal)
    : notVerified(submission, report, json, terminal)
}

function passed(
  submission: Submission,
  path: string,
  report: VerificationReport,
  trust: DownloadTrust,
  url: string,
  json: boolean,
  terminal: Terminal,
): number {
  if (json) {
    const kit = { path, keys: trust.keys, verification: report }
    lines(terminal.stdout, [jsonText({ status: 'PASS', submission, kit })])
    return EXIT.ok
  }
  const style = paint(terminal)
  lines(terminal.stdout, [
    `kit       ${submission.kit_id}`,
    `saved     ${plain(path)}`,
    `key       ${report.signer.kid}`,
    `verified  ${trustLine(trust, url)}`,
    '',
    `${style.good(style.strong('PASS'))}  The kit is what was issued, unchanged.`,
    style.faint(report.boundary),
  ])
  return EXIT.ok
}

function notVerified(
  submission: Submission,
  report: VerificationReport,
  json: boolean,
  terminal: Terminal,
): number {
  if (json) {
    lines(terminal.stdout, [jsonText({ status: 'FAIL', submission, kit: { verification: report } })])
    return EXIT.fail
  }
  const style = paint(terminal)
  lines(terminal.stdout, [
    ...report.errors.map((error) => `  ${style.bad('-')} ${plain(error)}`),
    '',
    `${style.bad(style.strong('FAIL'))}  The service issued ${submission.kit_id}, but what was downloaded did not pass. It was not kept.`,
    style.faint(report.boundary),
  ])
  return EXIT.fail
}

function failed(submission: Submission, { json }: Order, terminal: Terminal): number {
  if (json) {
    lines(terminal.stdout, [jsonText({ status: 'FAIL', submission })])
    return EXIT.fail
  }
  const style = paint(terminal)
  const count = submission.blockers.length
  lines(terminal.stdout, [
    ...blockerTable(submission.blockers, terminal),
    '',
    `${style.bad(style.strong('FAIL'))}  ${counted(count, 'blocker')}. No kit was issued, and nothing was charged.`,
    style.faint(submission.boundary),
  ])
  return EXIT.fail
}

function whereKitIs({ submission_id: id }: Submission): string {
  return `${id} is PASS: "kitseal get ${shellWord(id)}" fetches its kit.`
}

const LAST_WORD_MS = 3000

/** What the user leaves behind: asked of the service once more, and not for long. */
async function stateAfter({ client }: ServiceCall, known: Submission): Promise<string> {
  const id = known.submission_id
  try {
    const { status } = await client.getSubmission(id, { signal: AbortSignal.timeout(LAST_WORD_MS) })
    if (status === 'PENDING') return `Interrupted. ${id} is PENDING: the service waits for its evidence.`
    return `Interrupted. ${id} is ${status}; "kitseal status ${shellWord(id)}" shows it, "kitseal get ${shellWord(id)}" fetches what it came to.`
  } catch {
    return `Interrupted. ${id} was ${known.status} when it was last heard of; "kitseal status ${shellWord(id)}" shows it.`
  }
}
