import type { JsonValue, SubmissionProvenance } from '@kitseal/kit/internal'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { timestamp } from '../runtime/clock.ts'
import { workspaceOf } from '../http/caller.ts'
import { asSent } from '../http/resource.ts'
import { OneOf } from '../http/schema-parts.ts'
import type { ExtraCheck } from '../http/validate-request.ts'
import { checkAccept, checkProvenance, checkTags, rejectFuture } from './check-body.ts'
import {
  createOnce,
  createSubmission,
  DEFAULT_PROFILE,
  metadataText,
  sendCreated,
  tagsText,
} from './create-submission.ts'
import { deliverableRoutes } from './deliverables.ts'
import { findSubmission, pollAfter, readSubmission, type SubmissionView } from './submission-queries.ts'
import { statusOf } from './statuses.ts'
import { SubmissionAnswer, SubmissionList, submissionRecord } from './submission.ts'
import type { SubmissionContext } from './submission-context.ts'
import { SubmissionRequest, SubmissionUpdate } from './submission-schemas.ts'
import { registerUploadRoutes } from './upload-routes.ts'
import type { SubmissionsTable } from '../database/schema.ts'
import type { Unit } from '../database/unit.ts'
import { register, type Route, route, type Service } from '../http/route.ts'
import { holdRoutes } from './hold-and-delete.ts'
import { profileRoutes, requireProfile } from './profiles.ts'
import { getRevocations, reissueRoute } from './request-reissue.ts'
import { resubmitRoute } from './take-over-files.ts'
import { joinSeries, seriesRoutes } from './series.ts'
import { replaceTags } from './submission-words.ts'
import { checkCursor, cursorOf, pageOf, PageQuery } from '../http/page-query.ts'
import { DEFAULT_SORT, FILTERS, findSubmissions, listOf, SORTS } from './find-submissions.ts'

/** Fifty names with five hundred characters each, and the rest. */
const BODY_LIMIT_BYTES = 131_072
const READ = { scope: 'read', role: 'viewer' } as const
const WRITE = { scope: 'submit', role: 'member' } as const

const createSubmissionRoute = route('createSubmission', 'POST /v1/submissions', {
  access: WRITE,
  bodyLimit: BODY_LIMIT_BYTES,
  summary: 'Create a submission',
  description: 'The submission is PENDING until evidence is uploaded.',
  once: 'A retry with the same key within 24 hours returns the first response and creates no second submission.',
  body: asSent(SubmissionRequest),
  check: (body) => [...checkAccept(body), ...checkTags(body), ...checkProvenance(body)],
  example: { label: 'first kit' },
  returns: SubmissionAnswer,
  codes: ['profile_not_found', 'job_not_found', 'job_not_bindable'],
  async send(ctx: SubmissionContext & Service, call, reply) {
    const { body } = call
    const caller = workspaceOf(call.caller)
    await requireProfile(ctx.db, ctx.profiles, caller.workspaceId, body.profile ?? DEFAULT_PROFILE)
    rejectFuture(body.provenance as SubmissionProvenance, ctx.clock.now())
    const create = ({ db }: Unit) => createSubmission(db, ctx, body, caller)
    return sendCreated(reply, await createOnce(ctx, call, body as JsonValue, create))
  },
})

export const getSubmission = route('getSubmission', 'GET /v1/submissions/:submission_id', {
  access: READ,
  summary: 'Poll a submission',
  description:
    'The status is PENDING, RUNNING, PASS, FAIL or EXPIRED. `Retry-After` says when to poll again. It is absent once the status is final.',
  path: { submission_id: Type.String({ description: 'Returned when the submission was created.' }) },
  query: {
    findings: Type.Optional(
      OneOf(
        ['all', 'summary'],
        'With `summary`, findings that differ in their path alone are one entry, with their number in `count` and the first files in `paths`.',
      ),
    ),
  },
  returns: SubmissionAnswer,
  async run(ctx: SubmissionContext, call, reply) {
    const found = await findSubmission({ submissions: ctx.submissions.withEvidence }, call)
    const now = timestamp(ctx.clock.now())
    const retryAfter = pollAfter(ctx, found, statusOf(found, now))
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
    const isSummary = call.query.findings === 'summary'
    return submissionRecord(found, found.evidence, now, ctx.config.proof, isSummary)
  },
})

type Submissions = Pick<SubmissionContext, 'submissions' | 'config'>

const changeSubmission = route('updateSubmission', 'PATCH /v1/submissions/:submission_id', {
  access: WRITE,
  bodyLimit: BODY_LIMIT_BYTES,
  summary: 'Change tags, metadata and external ID, or add to a series',
  description:
    'At any time, whatever the status: they are not part of the kit. `tags` and `metadata` are replaced as a whole. `external_id: null` removes it. ' +
    '`series` adds a submission that has none, unless it is being processed. Its kit does not say so, but the next kit of the series names it as the one before.',
  body: SubmissionUpdate,
  check: checkTags,
  example: { tags: ['q3', 'payroll'] },
  codes: ['series_fixed', 'submission_running'],
  returns: SubmissionAnswer,
  prepare: (ctx: Submissions & Service, call) => findSubmission(ctx, call),
  async handle(unit, { body }, { config }: Submissions, found) {
    await update(unit, found, body)
    const { view, evidence } = await readSubmission(unit.db, found.submission_id)
    return submissionRecord(view, evidence, unit.at, config.proof)
  },
})

async function update(
  unit: Unit,
  submission: SubmissionView,
  { external_id, tags, metadata, series }: SubmissionUpdate,
): Promise<void> {
  const changes: Partial<SubmissionsTable> = {
    ...(external_id === undefined ? {} : { external_id }),
    ...(tags === undefined ? {} : { tags: tagsText(tags) }),
    ...(metadata === undefined ? {} : { metadata: metadataText(metadata) }),
    ...(series === undefined ? {} : { series }),
  }
  const changed = Object.entries(changes)
    .filter(([name, value]) => submission[name as keyof SubmissionsTable] !== value)
    .map(([name]) => name)
  if (changed.length === 0) return
  if (series !== undefined && changed.includes('series')) await joinSeries(unit.db, submission, series)
  await unit.db
    .updateTable('submissions')
    .set({ ...changes, updated_at: unit.at })
    .where('submission_id', '=', submission.submission_id)
    .execute()
  if (tags !== undefined) await replaceTags(unit.db, submission, tags)
  await unit.record('submission.changed', submission.submission_id, { changed: changed.join(' ') })
}

/** A cursor belongs to one order. */
const checkListCursor: ExtraCheck = (query) => {
  const sort = SORTS.find((one) => one === query['sort'])
  return checkCursor(listOf(sort))(query)
}

const listSubmissions = route('listSubmissions', 'GET /v1/submissions', {
  access: READ,
  summary: 'List and search submissions',
  description:
    'Newest first, unless `sort` says otherwise. Filters can be combined. A page can have fewer entries than `limit` if few of many submissions match. If `next_cursor` is not null, there are more.',
  query: {
    ...PageQuery.properties,
    ...FILTERS,
    sort: Type.Optional(
      OneOf(SORTS, 'The order. A minus sign reverses it. Newest first is `-created_at`, the default.'),
    ),
  },
  checkQuery: checkListCursor,
  returns: SubmissionList,
  async read({ db, workspaceId, at: now }, { query }, { config }: Pick<SubmissionContext, 'config'>) {
    const { cursor, limit: _, sort = DEFAULT_SORT, ...filters } = query
    const list = listOf(sort)
    const { before, limit } = pageOf(list, query)
    const after = cursor === undefined ? undefined : before
    const { rows, next } = await findSubmissions(db, { workspaceId, filters, sort, after, limit, now })
    return {
      rows: rows.map((row) => Object.assign(row, { now, proof: config.proof })),
      next: next === null ? null : cursorOf(list, next),
    }
  },
})

export const submissionRoutes = [
  createSubmissionRoute,
  getSubmission,
  listSubmissions,
  ...deliverableRoutes,
  reissueRoute,
  resubmitRoute,
]

/** What else can be done with submissions, and what they are sorted by. */
export const managingRoutes: readonly Route<SubmissionContext>[] = [
  changeSubmission,
  ...holdRoutes,
  getRevocations,
  ...seriesRoutes,
  ...profileRoutes,
]

/** Submissions, their evidence and their deliverables. */
export function registerSubmissionRoutes(app: FastifyInstance, ctx: SubmissionContext & Service): void {
  register(app, submissionRoutes, ctx)
  registerUploadRoutes(app, ctx)
  register(app, managingRoutes, ctx)
}
