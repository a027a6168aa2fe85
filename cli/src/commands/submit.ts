import { formatBytes, type SubmissionProvenance } from '@kitseal/kit/internal'
import { accessSync, constants, existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import {
  ApiError,
  type Submission,
  type Waiting,
  waitingText,
  type Client,
  ONE_REQUEST_BYTES,
} from '@kitseal/client'
import { openSubmission } from '@kitseal/client/node'
import { makeFolder } from '@kitseal/kit/internal/node'
import { kidProblems } from '../arguments.ts'
import type { Given, Shown } from '../command-line.ts'
import { TRUST_OPTIONS, fetchKit, kitFileName } from '../download-kit.ts'
import { type CiFiles, writeCiFiles } from '../ci-files.ts'
import { STATUS_WORDS, failed, notVerified, passed } from '../submission-result.ts'
import { confirmed, confirmProblems, readProvenance } from '../submission-attributes.ts'
import { gatherEvidence, type GatheredFile, tooLarge, totalBytes, withOwnPaths } from '../gather-evidence.ts'
import { Interrupted } from '../interruption.ts'
import { InputError, orInputError } from '../input-error.ts'
import { type TrustedKeys, readTrustedKeys } from '../trust-store.ts'
import { SERVICE_NOTE, type ServiceCall, serviceCommand } from '../service-call.ts'
import { shellQuote, pluralize, writeLines, printable, type Terminal } from '../terminal.ts'
import { transferProgress } from '../progress.ts'

const HELP = `usage: kitseal submit PATH… [OPTIONS]

Uploads evidence, waits for the result, and on PASS downloads and verifies the kit. A path is a file, a ZIP or a folder,
which is uploaded as a ZIP. An upload of more than 16 MiB that is interrupted continues when you run the same command with the
same files again within 24 hours, also on another machine.

OPTIONS

${SERVICE_NOTE}

Without --jwks and --kid, the kit is verified with the keys that you pinned for the issuer with "kitseal trust add". If there
are none, and --url is the issuer, its keys are pinned at this first use. The output says so.

examples:
  kitseal submit report.pdf access-review.xlsx --label "Access review, third quarter"
  kitseal submit evidence --url https://kitseal.example --out kits

exit codes: 0 PASS and the kit verified; 1 FAIL; 2 wrong usage, unreadable input or the service cannot be reached; 3 the kit
is intact, but its sender is not confirmed; 4 the service refused the call; 130 interrupted`

/** What to submit, and how. */
export interface Order {
  readonly files: readonly GatheredFile[]
  readonly label: string
  readonly profile: string | undefined
  readonly accept: readonly string[]
  readonly confirm: readonly { readonly item: string; readonly path: string }[]
  readonly series: string | undefined
  readonly tags: readonly string[]
  readonly provenance: SubmissionProvenance | undefined
  readonly out: string
  readonly keys: TrustedKeys
  readonly ci: CiFiles
}

/** The options of a submission. */
export const ORDER_OPTIONS = {
  label: 'LABEL  what this evidence is about, in one line (default: the first file name, or the collector)',
  profile: 'NAME  the profile to check against (default: "default", which requires nothing)',
  accept: 'CODE…  accept damage or a possible secret by its code, such as malformed_pdf (repeatable)',
  confirm: 'ITEM=PATH…  say that a file is for an item of the profile (repeatable)',
  provenance:
    'FILE  where the evidence came from, as JSON: collector {name, version, command}, collected_at, period {from, to}, system, query; for single files in files {PATH: …}. It is sealed as stated by you',
  series: 'NAME  the series it belongs to, such as a review that is repeated every quarter',
  tag: 'TAG…  a tag to find it by (repeatable)',
  out: 'DIR  where to save the kit (default: this folder)',
  ...TRUST_OPTIONS,
} as const

type GivenOrder = Given<keyof typeof ORDER_OPTIONS>

export const orderProblems = ({ values }: Pick<GivenOrder, 'values'>): readonly (string | false)[] => [
  ...kidProblems(values('kid')),
  ...confirmProblems(values('confirm')),
]

/** Everything but the files. Fails before they are collected. */
export async function readOrder(
  { value, values }: Pick<GivenOrder, 'value' | 'values'>,
  label: string,
  terminal: Terminal,
): Promise<Omit<Order, 'files' | 'ci'>> {
  const keys = await readTrustedKeys(values('jwks'), values('kid'), terminal)
  return {
    label: value('label') ?? label,
    profile: value('profile'),
    accept: values('accept'),
    confirm: confirmed(values('confirm')),
    series: value('series'),
    tags: values('tag'),
    provenance: await readProvenance(value('provenance')),
    out: await outFolder(value('out') ?? '.'),
    keys,
  }
}

/** `kitseal submit`. */
export const run = serviceCommand('submit', HELP, {
  options: {
    ...ORDER_OPTIONS,
    summary: 'FILE  append the result or the blockers as Markdown, such as $GITHUB_STEP_SUMMARY',
    outputs:
      'FILE  append status, verdict, key_from, submission_id, kit_id, kit_path and receipt_sha256 as NAME=VALUE lines',
  },
  input: async ({ positionals, value, values }, terminal): Promise<Order> => {
    const files = await gatherEvidence(positionals, terminal)
    const label = defaultLabel(positionals)
    const ci = { summary: value('summary'), outputs: value('outputs') }
    return { ...(await readOrder({ value, values }, label, terminal)), files, ci }
  },
  read: ({ positionals, values, reject }) => {
    reject(
      positionals.length === 0 && 'no files given. Pass files, folders or a ZIP',
      ...orderProblems({ values }),
    )
    return submit
  },
})

const MAX_LABEL_LENGTH = 200

/** The first file name, truncated to the maximum length of a label. */
function defaultLabel([first = '', ...more]: readonly string[]): string {
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  const name = [...printable(basename(resolve(first)) || 'evidence')]
  const room = MAX_LABEL_LENGTH - others.length
  return (name.length <= room ? name.join('') : `${name.slice(0, room - 1).join('')}…`) + others
}

/** Permissions according to the user's umask. */
const DEFAULT_MODE = 0o777

const outFolder = (folder: string): Promise<string> =>
  orInputError(`cannot write to ${folder}`, async () => {
    await makeFolder(folder, DEFAULT_MODE)
    // Checked before the upload, because a kit costs a credit.
    accessSync(folder, constants.W_OK | constants.X_OK)
    return folder
  })

/** Uploads, waits for the result, and downloads and verifies the kit. */
export async function submit(call: ServiceCall, order: Order): Promise<Shown> {
  const { client, signal, terminal } = call
  const say = (text: string): void => writeLines(terminal.stderr, [text])
  const { plan } = await client.me({ signal })
  const problem = tooLarge(order.files, plan.upload_limit_bytes)
  if (problem !== undefined) throw new InputError(`${problem} Nothing was uploaded.`)
  const { submission: created, canContinue, isContinued } = await openDraft(call, members(order), order.files)
  say(`${created.submission_id}  ${printable(created.label)}`)
  if (isContinued) say('Continuing the upload that was interrupted.')
  let known: Submission = created
  let isUploaded = false
  try {
    await upload(call, created.submission_id, order.files, canContinue).catch((error: unknown) => {
      // The same command, running at the same time, was faster.
      if (!canContinue || !(error instanceof ApiError) || error.code !== 'submission_submitted') throw error
    })
    isUploaded = true
    const onStatus = (now: Submission): void => {
      known = now
      say(STATUS_WORDS[now.status])
    }
    const onWaiting = (waiting: Waiting): void =>
      say(printable(`The evidence is stored. Still ${waitingText(waiting)}.`))
    const waits = { signal, onStatus, onWaiting, timeoutMs: Infinity }
    const ended = inOwnPaths(await client.waitForResult(created.submission_id, waits), order.files)
    if (ended.status === 'PASS') return await saveKit(call, ended, order)
    await writeCiFiles(order.ci, { submission: ended })
    return failed(ended, terminal)
  } catch (error) {
    if (error instanceof Interrupted) say(await stateAfterInterrupt(call, known))
    else if (known.status === 'PASS') say(howToGetKit(known))
    if (canContinue && !isUploaded) say(HOW_TO_CONTINUE)
    throw error
  }
}

/** The submission as the service returns it, with the user's own paths in blockers and findings. */
function inOwnPaths(submission: Submission, files: readonly GatheredFile[]): Submission {
  const findings = (submission as Partial<Submission>).findings
  return {
    ...submission,
    blockers: withOwnPaths(submission.blockers, files),
    ...(findings === undefined ? {} : { findings: withOwnPaths(findings, files) }),
  }
}

const HOW_TO_CONTINUE =
  'To continue the upload, run the same command again within 24 hours, here or on another machine.'

const members = ({ label, profile, accept, confirm, provenance, series, tags }: Order) => ({
  label,
  ...(profile && { profile }),
  ...(accept.length > 0 && { accept: [...accept] }),
  ...(confirm.length > 0 && { confirm: [...confirm] }),
  ...(provenance && { provenance }),
  ...(series && { series }),
  ...(tags.length > 0 && { tags }),
})

async function upload(
  { client, signal, terminal }: ServiceCall,
  submissionId: string,
  files: readonly GatheredFile[],
  resume: boolean,
): Promise<void> {
  const progress = transferProgress(terminal, 'uploading')
  try {
    await client.uploadEvidence(submissionId, files, { signal, onProgress: progress.at, resume })
  } finally {
    progress.clear()
  }
  for (const { name, sizeBytes, packedFiles } of files) {
    const packed = packedFiles === undefined ? '' : `, ${pluralize(packedFiles, 'file')} packed`
    writeLines(terminal.stderr, [`uploaded ${printable(name)}, ${formatBytes(sizeBytes)}${packed}`])
  }
}

async function saveKit(call: ServiceCall, submission: Submission, { out, keys, ci }: Order): Promise<Shown> {
  const kitId = submission.kit_id ?? ''
  const path = join(out, kitFileName(kitId))
  if (existsSync(path)) throw new InputError(`${path} already exists`)
  const { report, trust } = await fetchKit(call, { kitId, path, keys })
  const isSaved = report.status === 'PASS'
  await writeCiFiles(ci, { submission, report, ...(isSaved ? { path } : {}) })
  return isSaved
    ? passed(submission, path, report, trust, call)
    : notVerified(submission, report, trust, call.terminal)
}

function howToGetKit({ submission_id: id }: Submission): string {
  return `${id} is sealed. To download its kit: kitseal get ${shellQuote(id)}`
}

const FINAL_STATUS_TIMEOUT_MS = 3000

/** Asks the service once more what state the submission is in. */
async function stateAfterInterrupt({ client }: ServiceCall, known: Submission): Promise<string> {
  const id = known.submission_id
  try {
    const { status } = await client.getSubmission(id, {
      signal: AbortSignal.timeout(FINAL_STATUS_TIMEOUT_MS),
    })
    if (status === 'PENDING') return `Interrupted. ${id} is pending: the service is waiting for its evidence.`
    return `Interrupted. ${id} is ${STATUS_WORDS[status].toLowerCase()}. To follow it: kitseal status ${shellQuote(id)}. To download the result: kitseal get ${shellQuote(id)}`
  } catch {
    return `Interrupted. ${id} was last ${STATUS_WORDS[known.status].toLowerCase()}. To see it: kitseal status ${shellQuote(id)}`
  }
}

/** The draft to upload to. The same command finds that of a large upload again, for a day, here or on another machine. */
async function openDraft(
  { client, signal }: Pick<ServiceCall, 'client' | 'signal'>,
  body: Parameters<Client['createSubmission']>[0],
  files: readonly GatheredFile[],
) {
  if (totalBytes(files) <= ONE_REQUEST_BYTES) {
    const submission = await client.createSubmission(body, { signal })
    return { submission, canContinue: false, isContinued: false }
  }
  // One that was submitted meanwhile is left alone.
  const contents = files.map(({ name, sizeBytes, resumeKey }) => [name, sizeBytes, resumeKey])
  const submission = await openSubmission(client, body, contents, ({ status }) => status !== 'PENDING', {
    signal,
  })
  const uploads = await client.listUploads(submission.submission_id, { signal })
  const isContinued = submission.evidence.length + uploads.data.length > 0
  return { submission, canContinue: true, isContinued }
}
