import {
  BOUNDARY,
  compareKits,
  type KitComparison,
  NO_TRUST,
  type VerificationReport,
  VERDICTS,
} from '@kitseal/kit/internal'
import { groupFindings } from '@kitseal/examiner/group-findings'
import { check } from '../commands/check.ts'
import { readManifest } from '../commands/diff.ts'
import { checkKit } from '../commands/verify.ts'
import { findEvidence, type GatheredFile } from '../gather-evidence.ts'
import { type Finding, isBlocking } from '../finding-lists.ts'
import { type ServiceCall } from '../service-call.ts'
import { pluralize, type Terminal } from '../terminal.ts'
import type { TrustedKeys } from '../trusted-keys.ts'
import { allowedPath } from './allowed-path.ts'
import type { Answer } from './answer.ts'
import { type Tool, tool } from './tool.ts'

/** What the person who started the server allows. */
export interface Place {
  /** Tools read files below these folders, and nothing else. */
  readonly folders: readonly string[]
  /** Where submit_files saves kits. */
  readonly out: string
  /** Read for every call, so that a key that was pinned meanwhile counts. */
  readonly keys: () => Promise<TrustedKeys>
  /** Prints nothing, and asks nothing. */
  readonly terminal: Terminal
  readonly connect: (signal: AbortSignal) => Promise<ServiceCall>
  /** How long a call waits for the result of a submission. */
  readonly waitMs: number
}

export const PATHS = 'Files, folders or ZIPs, below a folder of --folder'

/** The tools that change nothing. */
export const readTools = (place: Place): readonly Tool[] => [
  tool(
    'check_files',
    {
      title: 'Check evidence',
      description:
        'Checks evidence on this computer by the rules of the service, before it is sent: dangers, damage, possible secrets, missing items of a profile. Sends nothing.',
    },
    {
      paths: { is: 'texts', what: PATHS },
      profile: { is: 'text', what: 'A built-in profile, such as access-review', optional: true },
    },
    async ({ paths, profile }) => {
      const files = await evidenceAt(place, paths)
      const findings = await findingsIn(place, files, profile)
      return findingsAnswer(findings, `Checked ${pluralize(files.length, 'path')} here. Nothing was sent.`)
    },
  ),

  tool(
    'verify_kit',
    {
      title: 'Verify a kit',
      description:
        'Verifies a kit (kit.zip or its unpacked folder) offline, with the keys that the user has pinned or given. Keys in the kit never count.',
    },
    { path: { is: 'text', what: 'A kit.zip or its folder, below a folder of --folder' } },
    async ({ path }) => {
      const trust = { ...NO_TRUST, ...(await place.keys()) }
      const { report, claims } = await checkKit(
        allowedPath(place.folders, path),
        trust,
        undefined,
        place.terminal,
      )
      return {
        said: provedBy(report),
        evidence: { kit: claims ?? null, ...detailsOf(report) },
        list: 'failed_checks',
      }
    },
  ),

  tool(
    'search_submissions',
    {
      title: 'Search submissions',
      description: 'Finds submissions of the workspace by words, status, tag, series or date; newest first.',
    },
    {
      q: { is: 'text', what: 'Words of name, file names or tags, or an ID', optional: true },
      status: { is: ['PENDING', 'RUNNING', 'PASS', 'FAIL', 'EXPIRED'], what: 'The status', optional: true },
      tag: { is: 'text', what: 'A tag', optional: true },
      series: { is: 'text', what: 'The name of a series', optional: true },
      created_after: { is: 'text', what: 'A date, such as 2026-01-31', optional: true },
      created_before: { is: 'text', what: 'A date', optional: true },
      limit: { is: 'number', what: 'How many at most (default and maximum: 20)', optional: true },
      cursor: { is: 'text', what: 'next_cursor of the page before', optional: true },
    },
    async ({ limit = PAGE, ...query }, signal) => {
      const { client } = await place.connect(signal)
      const page = await client.listSubmissions({ ...given(query), limit: Math.min(limit, PAGE) }, { signal })
      const submissions = page.data.map((each) => ({
        submission_id: each.submission_id,
        name: each.label,
        status: each.status,
        kit_id: each.kit_id,
        created_at: each.created_at,
        files: each.file_count,
        series: each.series,
        blockers: each.blocker_count,
      }))
      return listed('submissions', submissions, page.next_cursor)
    },
  ),

  tool(
    'get_submission',
    {
      title: 'Get a submission',
      description: 'Shows a submission: status, files, kit, and why no kit was issued.',
    },
    { submission_id: { is: 'text', what: 'Its ID: sub_…' } },
    async ({ submission_id }, signal) => {
      const { client } = await place.connect(signal)
      const found = await client.getSubmission(submission_id, { findings: 'summary', signal })
      const { status, label, kit_id, profile, series, created_at, evidence, findings } = found
      const said =
        status === 'PASS'
          ? 'The service issued a kit (status PASS). This says nothing about who signed it until the kit is verified.'
          : `The status is ${status}. ${pluralize(found.blockers.length, 'blocker')}.`
      return {
        said: `${said} ${BOUNDARY}`,
        evidence: {
          submission_id,
          name: label,
          status,
          kit_id,
          profile,
          series,
          created_at,
          waiting: found.waiting ?? null,
          files: evidence.length,
          first_files: evidence.slice(0, 5).map(({ name }) => name),
          findings: findings.map((finding) => rowOf(finding)),
        },
        list: 'findings',
      }
    },
  ),

  tool(
    'compare_kits',
    {
      title: 'Compare two kits',
      description:
        'Lists files that were added, removed, changed or moved between two kits: two files below a folder of --folder, or two kit IDs of the workspace.',
    },
    {
      from: { is: 'text', what: 'The older kit: a path, or its ID (kit_…)' },
      to: { is: 'text', what: 'The newer kit: a path, or its ID' },
    },
    async ({ from, to }, signal) => {
      if (from.startsWith('kit_') && to.startsWith('kit_') && !/[/.]/.test(from + to)) {
        const { client } = await place.connect(signal)
        return comparison(await client.compareKits(from, to, { signal }), 'The service compared them.')
      }
      const [older, newer] = [allowedPath(place.folders, from), allowedPath(place.folders, to)]
      return comparison(
        compareKits(await readManifest(older), await readManifest(newer), { allFiles: false }),
        'The files of both fit their manifests. Who signed them was not checked.',
      )
    },
  ),

  tool(
    'list_requests',
    {
      title: 'List requests',
      description:
        'Lists requests for evidence of the workspace, newest first, or with request_id the items of one.',
    },
    {
      request_id: { is: 'text', what: 'evr_…: show its items', optional: true },
      status: { is: ['open', 'submitted', 'accepted', 'closed'], what: 'The status', optional: true },
      cursor: { is: 'text', what: 'next_cursor of the page before', optional: true },
    },
    async ({ request_id, ...query }, signal) => {
      const { client } = await place.connect(signal)
      if (request_id !== undefined) {
        const { title, status, due_at, items } = await client.getRequest(request_id, { signal })
        const rows = items.map((item) => ({
          item_id: item.id,
          title: item.title,
          status: item.status,
          due_at: item.due_at,
          files: item.files.length,
        }))
        const said = `The request has ${pluralize(items.length, 'item')}.`
        return { said, evidence: { request_id, title, status, due_at, items: rows }, list: 'items' }
      }
      const page = await client.listRequests({ ...given(query), limit: PAGE }, { signal })
      const requests = page.data.map((each) => ({
        request_id: each.evidence_request_id,
        title: each.title,
        status: each.status,
        due_at: each.due_at,
        progress: each.progress,
      }))
      return listed('requests', requests, page.next_cursor)
    },
  ),
]

const PAGE = 20

/** Without what was not given. */
const given = <Query extends object>(query: Query) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Query]?: NonNullable<Query[Name]>
  }

const listed = (list: string, rows: readonly object[], next_cursor: string | null): Answer => ({
  said: `Found ${rows.length}${next_cursor === null ? '' : ', and more on the next page'}.`,
  evidence: { [list]: rows, next_cursor },
  list,
})

export const evidenceAt = ({ folders }: Place, paths: readonly string[]): Promise<readonly GatheredFile[]> =>
  findEvidence(paths.map((path) => allowedPath(folders, path)))

export async function findingsIn(
  place: Place,
  files: readonly GatheredFile[],
  profile: string | undefined,
): Promise<readonly Finding[]> {
  const said = { accept: [], confirmed: [], provenance: undefined }
  const trust = { ...NO_TRUST, ...(await place.keys()) }
  return (await check(files, profile, said, trust, { isBuiltIn: true })).findings
}

export function findingsAnswer(findings: readonly Finding[], what: string): Answer {
  const blockers = findings.filter(isBlocking).length
  const verdict =
    blockers === 0
      ? `No blockers, ${pluralize(findings.length, 'other finding')}: ready to submit.`
      : `${pluralize(blockers, 'blocker')}: the service would not issue a kit.`
  const rows = groupFindings(findings).map((group) => rowOf(group, group.paths))
  return {
    said: `${verdict} ${what} ${BOUNDARY}`,
    evidence: { findings: rows },
    list: 'findings',
  }
}

type Row = Pick<Finding, 'code' | 'class' | 'path' | 'message' | 'remedy'> & { readonly count?: number }

function rowOf(finding: Row, paths: readonly string[] = []) {
  const { code, class: kind, message, remedy } = finding
  const path = paths[0] ?? finding.path
  return { code, class: kind, path, message, remedy, count: finding.count ?? Math.max(1, paths.length) }
}

/** What a verification has proved, in words that contain nothing of the kit. */
export function provedBy({ verdict, log, time }: VerificationReport, key = PINNED): string {
  const { status, heading, advice } = VERDICTS[verdict]
  if (verdict !== 'verified')
    return `${status}: ${heading.replace(/ on DATE|\.$/, '')}. ${advice} ${BOUNDARY}`
  const more = [
    ...(typeof log?.since === 'string' ? ['Witnesses of the user have seen it in the log.'] : []),
    ...(time === undefined ? [] : ['When it existed was confirmed by others.']),
  ]
  return [
    `PASS. Proved: the files are unchanged since the kit was issued, and its receipt is signed with ${key}.`,
    ...more,
    BOUNDARY,
  ].join(' ')
}

const PINNED = 'a key that the user pinned or gave'

export const detailsOf = ({ verdict, checks, signer, log, time }: VerificationReport) => ({
  verdict,
  key_id: signer.kid,
  key_from: signer.key_from ?? null,
  log: log?.text ?? null,
  time: time?.text ?? null,
  failed_checks: checks.filter(({ result }) => result === 'fail'),
})

function comparison(
  difference: Omit<KitComparison, 'unchanged'> & { unchanged: number },
  how: string,
): Answer {
  const { added, removed, changed, moved, unchanged } = difference
  const files = [
    ...changed.map(({ path }) => ({ is: 'changed', path })),
    ...added.map(({ path }) => ({ is: 'added', path })),
    ...removed.map(({ path }) => ({ is: 'removed', path })),
    ...moved.map(({ from, to }) => ({ is: 'moved', path: from, to })),
  ]
  return {
    said: `${added.length} added, ${removed.length} removed, ${changed.length} changed, ${moved.length} renamed or moved, ${unchanged} unchanged. ${how} ${BOUNDARY}`,
    evidence: { files },
    list: 'files',
  }
}
