import type { JsonValue } from '@kitseal/kit'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { timestamp } from '../clock.ts'
import type { Database } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { type Answer, answerOnce, onceKey } from '../http/idempotency.ts'
import { cursorOf, readPage } from '../http/page-query.ts'
import { readDocument } from '../kits/kit-documents.ts'
import { BINDER_PATH } from '../kits/binder-file.ts'
import { Refusal } from '../refusals.ts'
import { ownSubmission } from '../submissions/own-submission.ts'
import type { SubmissionStatus } from '../submissions/submission.ts'
import { submissionQueries } from '../submissions/submission-queries.ts'
import { readSubmissionRequest } from '../submissions/submission-request.ts'
import { referenceObjects } from '../objects/reference-objects.ts'
import type { ConsoleServices } from './console-services.ts'
import { sessionOf } from './guard.ts'
import { line, optional, readMembers, wholeNumbers } from './read-members.ts'
import { keptFiles, resubmit } from './resubmit.ts'
import { type Search, searchSubmissions, summary } from './search-submissions.ts'
import { submissionDetail } from './submission-detail.ts'

/** Shown in a frame of the console itself, and nowhere else. */
const FRAMED_HERE = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'",
  'content-disposition': 'inline; filename="binder.pdf"',
}

type OfSubmission = { Params: { readonly submission_id: string } }

/** What the console shows of submissions beside the records themselves, which come from the same routes as for keys. */
export function registerConsoleSubmissionRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const { db, kits } = services
  const submissions = submissionQueries(db)
  const now = (): string => timestamp(services.clock.now())

  scope.get('/submissions', async (request) => {
    const { workspaceId } = sessionOf(request)
    const { search, page } = readSearch(request.query)
    const found = await searchSubmissions(db, workspaceId, search, page, now())
    return {
      submissions: found.rows.map((row) => summary(row, now())),
      next_cursor: found.before === undefined ? null : cursorOf('submissions', found.before),
    }
  })

  scope.get<OfSubmission>('/submissions/:submission_id', async (request) => {
    const view = await ownSubmission(submissions, request)
    return submissionDetail(db, { view, evidence: await submissions.evidenceOf(view.submission_id) }, now())
  })

  scope.get<OfSubmission>('/submissions/:submission_id/binder', async (request, reply) => {
    const view = await ownSubmission(submissions, request)
    const kit = view.kit_id === null ? undefined : await kits.find(view.kit_id)
    if (kit === undefined || !kit.entries.some(({ path }) => path === BINDER_PATH))
      throw new Refusal('deliverable_not_found', 'There is no binder, or not yet.')
    const bytes = await readDocument(services.objects, kit, BINDER_PATH)
    return reply.headers(FRAMED_HERE).type('application/pdf').send(bytes)
  })

  scope.post<OfSubmission>('/submissions/:submission_id/resubmit', async (request, reply) => {
    const { caller } = sessionOf(request)
    const failed = await ownSubmission(submissions, request)
    const body = request.body as JsonValue
    const { keep, label, profile } = readMembers(body, {
      keep: wholeNumbers,
      label: optional(line(200)),
      profile: optional(line(200)),
    })
    const named = { label: label ?? failed.label, profile: profile ?? failed.profile }
    const asked = { keep, ...readSubmissionRequest(named, services.profiles) }
    const kept = await keptFiles(services, failed, keep)
    const create = async (trx: Kysely<Database>): Promise<Answer> => {
      const found = await resubmit(trx, services, failed, kept, asked, caller)
      return { status: 201, body: JSON.stringify(await submissionDetail(trx, found, now())) }
    }
    const once = onceKey(request, { of: failed.submission_id, body })
    const objects = kept.map(({ sha256 }) => sha256)
    const answer = await referenceObjects(db, objects, () =>
      once === undefined ? transact(db, create) : answerOnce(db, services.clock, once, create),
    )
    return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body)
  })
}

const STATUSES: readonly SubmissionStatus[] = ['PENDING', 'RUNNING', 'PASS', 'FAIL']
const LONGEST_SEARCH = 200

function readSearch(query: unknown): { readonly search: Search; readonly page: ReturnType<typeof readPage> } {
  const { q, status, label, ...rest } = query as Readonly<Record<string, unknown>>
  const page = readPage('submissions', rest)
  const [text, exact] = [q, label].map((value) =>
    typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, LONGEST_SEARCH) : undefined,
  )
  const wanted = STATUSES.find((each) => each === status)
  if (status !== undefined && status !== '' && wanted === undefined)
    throw new Refusal('query_invalid', `status must be one of ${STATUSES.join(', ')}.`)
  return { search: { text, label: exact, status: wanted }, page }
}
