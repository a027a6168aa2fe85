import { groupFindings } from '@kitseal/examiner/group-findings'
import {
  BOUNDARY,
  keyText,
  type VerificationReport,
  verdictAdvice,
  verdictHeading,
} from '@kitseal/kit/internal'
import { type Finding, isBlocking } from '../findings-text.ts'
import { InputError } from '../input-error.ts'
import { pluralize } from '../terminal.ts'
import { type Answer, OUTPUT_SCHEMA, resultOf } from './answer.ts'
import { allowedPaths, type Place, runKitseal, TookTooLong } from './run-kitseal.ts'

interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly properties: Readonly<Record<string, Argument>>
  readonly required: readonly string[]
  /** Whether it changes something in the workspace. */
  readonly changes?: true
  readonly run: (place: Place, given: Given, signal: AbortSignal) => Promise<Answer>
}

type Given = Readonly<Record<string, string | readonly string[] | undefined>>

const MAX_TEXT = 4096
const MAX_TEXTS = 100
const TEXT = { type: 'string', maxLength: MAX_TEXT } as const
const text = (description: string) => ({ ...TEXT, description })
const texts = (description: string) =>
  ({ type: 'array', items: TEXT, minItems: 1, maxItems: MAX_TEXTS, description }) as const
type Argument = ReturnType<typeof text | typeof texts>

const PATHS = texts('Files, folders or ZIPs, below a folder of --folder')
const PROFILE = text('A built-in profile, such as access-review')

const TOOLS: readonly Tool[] = [
  {
    name: 'check_files',
    title: 'Check evidence',
    description:
      'Checks evidence on this computer by the rules of the service, before it is sent: dangers, damage, possible secrets, missing items of a profile. Sends nothing.',
    properties: { paths: PATHS, profile: PROFILE },
    required: ['paths'],
    run: async (place, given, signal) => {
      const what = `Checked ${pluralize(list(given, 'paths').length, 'path')} here. Nothing was sent.`
      return findingsAnswer(await findingsIn(place, given, signal), what)
    },
  },
  {
    name: 'verify_kit',
    title: 'Verify a kit',
    description:
      'Verifies a kit (kit.zip or its unpacked folder) offline, with the keys that the user has pinned or given. Keys in the kit never count.',
    properties: { path: text('A kit.zip or its folder, below a folder of --folder') },
    required: ['path'],
    run: async (place, { path }, signal) => {
      const kit = await allowedPaths(place, [String(path)], signal)
      const report = await ask<VerificationReport>(place, ['verify', ...kit, ...place.keys], signal)
      return { said: provedBy(report), evidence: detailsOf(report), list: 'failed_checks' }
    },
  },
  {
    name: 'search',
    title: 'Search the workspace',
    description: 'Finds submissions or requests for evidence of the workspace, newest first, 20 on a page.',
    properties: {
      of: text('submissions or requests'),
      q: text('For submissions: words of name, file names or tags, or an ID'),
      status: text('Such as PASS or FAIL of a submission, open or accepted of a request'),
      tag: text('For submissions: a tag'),
      series: text('For submissions: the name of a series'),
      created_after: text('For submissions: a date, such as 2026-01-31'),
      cursor: text('next_cursor of the page before'),
    },
    required: ['of'],
    run: async (place, { of, ...query }, signal) => {
      const operation = of === 'requests' ? 'listRequests' : 'listSubmissions'
      // A value that begins with @ would be read from a file.
      const members = Object.entries(query).map(
        ([name, value]) => `${name}=${String(value).replace(/^@+/, '')}`,
      )
      const args = ['api', operation, 'limit=20', ...members, ...place.url]
      const { data, next_cursor } = await ask<{ data: readonly object[]; next_cursor: unknown }>(
        place,
        args,
        signal,
      )
      const rows = data.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => SHOWN.has(name))),
      )
      const more = next_cursor === null ? '' : ', and more on the next page'
      return { said: `Found ${rows.length}${more}.`, evidence: { rows, next_cursor }, list: 'rows' }
    },
  },
  {
    name: 'submit_files',
    title: 'Submit evidence',
    description:
      'Checks evidence here, uploads it if nothing blocks it, waits for the kit, verifies it and saves it in the folder of --out. Uses one credit.',
    properties: {
      paths: PATHS,
      name: text('What the evidence is about, in one line. Reviewers see it'),
      profile: PROFILE,
      series: text('The series it belongs to'),
      tags: texts('Tags to find it by'),
    },
    required: ['paths', 'name'],
    changes: true,
    run: async (place, given, signal) => {
      const blocking = (await findingsIn(place, given, signal)).filter(isBlocking)
      if (blocking.length > 0) return { ...findingsAnswer(blocking, 'Nothing was sent.'), isError: true }
      const options = Object.entries({
        label: given['name'],
        profile: given['profile'],
        series: given['series'],
      })
        .filter(([, value]) => value !== undefined)
        .map(([option, value]) => `--${option}=${String(value)}`)
      const tags = list(given, 'tags').map((tag) => `--tag=${tag}`)
      const paths = await allowedPaths(place, list(given, 'paths'), signal)
      const out = ['--out', place.out ?? '']
      return submitted(
        place,
        ['submit', ...paths, ...options, ...tags, ...out, ...place.keys, ...place.url],
        signal,
      )
    },
  },
]

/** What a search shows of a submission or a request. */
const SHOWN: ReadonlySet<string> = new Set(
  'submission_id evidence_request_id label title status kit_id created_at due_at file_count blocker_count series progress'.split(
    ' ',
  ),
)

/** The result, or after a while that there is none yet: the submission goes on. */
async function submitted(place: Place, args: readonly string[], signal: AbortSignal): Promise<Answer> {
  const work = ask<Submitted>({ ...place, limitMs: Infinity }, args, signal)
  const late = AbortSignal.timeout(place.limitMs)
  const end = new Promise<undefined>((resolve) => late.addEventListener('abort', () => resolve(undefined)))
  const shown = await Promise.race([work, end])
  if (shown === undefined) {
    work.catch(() => undefined)
    return { said: 'The files are sent or being sent. There is no result yet: search for it in a while.' }
  }
  const { submission, kit } = shown
  if (kit === undefined)
    return { ...findingsAnswer(submission.findings.filter(isBlocking), 'No kit was issued.'), isError: true }
  const { submission_id, kit_id } = submission
  return {
    said: `The service issued a kit. ${provedBy(kit.verification)}`,
    evidence: { submission_id, kit_id, saved_as: kit.path ?? null, ...detailsOf(kit.verification) },
    list: 'failed_checks',
    isError: kit.path === undefined,
  }
}

interface Submitted {
  readonly submission: { submission_id: string; kit_id: string | null; findings: readonly Finding[] }
  readonly kit?: { readonly path?: string; readonly verification: VerificationReport }
}

async function findingsIn(place: Place, given: Given, signal: AbortSignal): Promise<readonly Finding[]> {
  const profile = list(given, 'profile')
  if (profile.some((name) => !/^[a-z0-9][a-z0-9-]*$/.test(name)))
    throw new InputError(`no profile ${JSON.stringify(profile[0])}`)
  const paths = await allowedPaths(place, list(given, 'paths'), signal)
  const args = ['check', ...paths, ...profile.map((name) => `--profile=${name}`)]
  return (await ask<{ readonly findings: readonly Finding[] }>(place, args, signal)).findings
}

const list = (given: Given, name: string): readonly string[] => [given[name] ?? []].flat()

/** Runs a command. Throws what it could not do. */
async function ask<Shown extends object>(
  place: Place,
  args: readonly string[],
  signal: AbortSignal,
): Promise<Shown> {
  const shown = (await runKitseal(place, args, signal)) as Shown & {
    error?: { code: string; message: string }
  }
  if (shown.error !== undefined) throw new InputError(...shown.error.message.split('\n'), shown.error.code)
  return shown
}

function findingsAnswer(findings: readonly Finding[], what: string): Answer {
  const blockers = findings.filter(isBlocking).length
  const verdict =
    blockers === 0
      ? `No blockers, ${pluralize(findings.length, 'other finding')}: ready to submit.`
      : `${pluralize(blockers, 'blocker')}: the service would not issue a kit.`
  const rows = groupFindings(findings).map(({ code, class: kind, path, paths, message, remedy }) => {
    return { code, class: kind, path: paths[0] ?? path, message, remedy, count: Math.max(1, paths.length) }
  })
  return { said: `${verdict} ${what} ${BOUNDARY}`, evidence: { findings: rows }, list: 'findings' }
}

/** What a verification has proved, in words that contain nothing of the kit. */
function provedBy({ verdict, signer, log, time }: VerificationReport): string {
  if (verdict !== 'verified') {
    const heading = verdictHeading({ verdict, signer: {} }).replace(/\.$/, '')
    return `FAIL: ${heading}. ${verdictAdvice({ verdict, signer: { trust: 'none' } })} ${BOUNDARY}`
  }
  return [
    `PASS. Proved: the files are unchanged since the kit was issued, and its receipt is signed with ${keyText(signer)}.`,
    ...(typeof log?.since === 'string' ? ['Witnesses of the user have seen it in the log.'] : []),
    ...(time === undefined ? [] : ['When it existed was confirmed by others.']),
    BOUNDARY,
  ].join(' ')
}

const detailsOf = (report: VerificationReport & { readonly kit?: unknown }) => ({
  kit: report.kit ?? null,
  verdict: report.verdict,
  key_id: report.signer.kid,
  key_from: report.signer.key_from ?? null,
  log: report.log?.text ?? null,
  time: report.time?.text ?? null,
  failed_checks: report.checks.filter(({ result }) => result === 'fail'),
})

/** What `tools/list` shows. */
export const describedTools = (place: Place): readonly object[] =>
  toolsIn(place).map(({ name, title, description, properties, required, changes = false }) => ({
    name,
    title,
    description,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    outputSchema: OUTPUT_SCHEMA,
    annotations: {
      title,
      readOnlyHint: !changes,
      idempotentHint: !changes,
      openWorldHint: changes,
      destructiveHint: false,
    },
  }))

const toolsIn = ({ out }: Place): readonly Tool[] =>
  TOOLS.filter(({ changes }) => changes !== true || out !== undefined)

/** Runs a tool; undefined if there is none of this name. What the caller can act on is a result, so that an assistant reads it. */
export async function callTool(place: Place, called: unknown, given: unknown, signal: AbortSignal) {
  const tool = toolsIn(place).find(({ name }) => name === called)
  if (tool === undefined) return undefined
  try {
    return resultOf(await tool.run(place, checked(tool, given), signal))
  } catch (error) {
    const said = 'The call was not carried out.'
    if (error instanceof TookTooLong) return resultOf({ said: `${said} ${error.message}`, isError: true })
    if (!(error instanceof InputError)) throw error
    return resultOf({ said, evidence: { problems: error.problems }, list: 'problems', isError: true })
  }
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_TEXT
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.length <= MAX_TEXTS && value.every(isText)

/** The arguments, if they are as the schema says. Names every problem. */
function checked({ properties, required }: Tool, given: unknown): Given {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new InputError('the arguments must be an object')
  const problems = [
    ...required.filter((name) => !Object.hasOwn(given, name)).map((name) => `${name} is required`),
    ...Object.entries(given).flatMap(([name, value]) => {
      const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined
      if (type === undefined) return [`there is no argument ${JSON.stringify(name)}`]
      if (type === 'array') return isTexts(value) ? [] : [`${name} must be a list of 1 to ${MAX_TEXTS} texts`]
      return isText(value) ? [] : [`${name} must be text of at most ${MAX_TEXT} characters`]
    }),
  ]
  if (problems.length > 0) throw new InputError(...problems)
  return given as Given
}
