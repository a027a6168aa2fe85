import { Type } from 'typebox'
import { requireFullAccess } from '../access/may-call.ts'
import type { Reader, Unit } from '../database/unit.ts'
import { workspaceOf } from '../http/caller.ts'
import { body, pages } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { notModified, OptionalOrNull, ADDRESS } from '../http/schema-parts.ts'
import { AnyFile, FILE_CODES } from '../kits/kit-routes.ts'
import { sendKitFile, sendStoredFile } from '../kits/send-kit.ts'
import { Refusal } from '../refusals.ts'
import { checkAccept } from '../submissions/check-body.ts'
import { removeEvidence } from '../submissions/add-evidence.ts'
import { UPLOAD_CODES } from '../submissions/submission-refusals.ts'
import { AcceptedCodes } from '../submissions/submission-schemas.ts'
import { dueOf, dueProblems } from './create-request.ts'
import { openNext } from './open-period.ts'
import { ownersOf, periodRows, programs } from './program.ts'
import { remarks } from './remarks.ts'
import {
  findItem,
  folderOf,
  type ItemView,
  loadRequests,
  lockRequest,
  requests,
  type RequestRow,
  type RequestView,
  viewOf,
} from './request.ts'
import { ListedComment, Period, shownWithItems } from './request-resource.ts'
import { Empty, type RequestContext } from './request-routes.ts'
import { record, rejectOver, REVIEW, reviewItem, updateItem } from './review-item.ts'
import { sealPeriod } from './seal-period.ts'

interface OfPeriod {
  readonly params: { readonly program_id: string; readonly period: string }
}

async function find(reader: Reader, { params }: OfPeriod): Promise<RequestRow> {
  const { program_id } = await reader.own(programs).find(params.program_id)
  const row = await reader.rows(requests, { program_id, period: params.period }).first()
  if (row === undefined)
    throw new Refusal('period_not_found', 'The program has no period with this name.', { param: 'period' })
  return row
}

/** The period of a route, which nobody else changes until the unit ends. */
async function locked(unit: Unit, call: OfPeriod): Promise<RequestView> {
  const period = await lockRequest(unit, (await find(unit, call)).request_id)
  rejectOver(period)
  return period
}

async function shown(reader: Reader, row: RequestRow) {
  const before = await periodRows(reader, row, { before: row.number ?? 0, limit: 1 })
  const [period, earlier] = await loadRequests(reader, [row, ...before])
  return shownWithItems(reader, period!, earlier)
}

const Change = body(
  'PeriodItemChange',
  {
    ...REVIEW(
      '`accepted` and `to_review` need files. `not_applicable` needs a reason. `to_review` also takes a review back.',
      'Why the item is not applicable.',
    ),
    owner: OptionalOrNull(
      Type.String({ ...ADDRESS, description: 'The email address of a member. Only of an internal item.' }),
    ),
    due_at: Type.Optional(
      Type.String({ minLength: 10, maxLength: 40, description: 'A date, or a date and time.' }),
    ),
  },
  'A review, a comment, or a change of an item.',
)
type Change = NonNullable<(typeof Change)['sends']>

/** What every member does with an item. Reviews, owners and due dates are for managers. */
const isWork = ({ status, owner, due_at }: Change): boolean =>
  (status === undefined || status === 'to_review') && owner === undefined && due_at === undefined

/** The owner and the due date. What a supplier sees of the due date changes too. */
async function changeTerms(unit: Unit, period: RequestView, item: ItemView, { owner, due_at }: Change) {
  if (owner === undefined && due_at === undefined) return
  if (owner !== undefined && item.part !== null)
    throw new Refusal('body_invalid', 'owner is for internal items. The recipients supply this one.', {
      param: 'owner',
    })
  const ownerOf = await ownersOf(unit, owner == null ? [] : [owner])
  await updateItem(unit, item, {
    ...(owner === undefined ? {} : { owner_id: owner === null ? null : ownerOf(owner, 'owner') }),
    ...(due_at === undefined ? {} : { due_at: dueOf(due_at) }),
  })
  const changed = [owner === undefined ? [] : 'owner', due_at === undefined ? [] : 'due_at'].flat().join(' ')
  await record(unit, period, 'program.item_changed', { item: item.item_id, changed })
}

const all = '/v1/programs/:program_id/periods'
const url = `${all}/:period` as const
const read = { scope: 'read', role: 'viewer' } as const
const write = { scope: 'requests', role: 'manager' } as const
const PATH = {
  program_id: Type.String(),
  period: Type.String({ description: 'Its name, such as `2026-Q4`.' }),
}
const OPEN = ['program_ended', 'period_sealed'] as const

export const periodRoutes = [
  route('openPeriod', `POST ${all}`, {
    access: write,
    status: 201,
    summary: 'Open the next period now',
    description:
      'Periods open by themselves when they start. This opens the next one before that, or another one of a program without a cadence.',
    once: 'A retry with the same key within 24 hours returns the first response and opens no second period.',
    body: Empty,
    example: {},
    returns: Period,
    location: url,
    codes: ['program_ended', 'mail_off'],
    async handle(unit, { params }, ctx: RequestContext) {
      return shown(unit, await openNext(unit, ctx, await unit.own(programs).lock(params.program_id)))
    },
  }),
  route('getPeriod', `GET ${url}`, {
    access: read,
    path: PATH,
    summary: 'Get a period',
    description:
      'With its items, their files and the comments. Files of internal items are uploaded to `submission_id` below the ID of the item.',
    returns: Period,
    read: async (reader, call) => shown(reader, await find(reader, call)),
  }),
  route('listPeriodComments', `GET ${url}/comments`, {
    access: read,
    summary: 'List the comments of a period',
    description: 'On its internal items, newest first. Those on the others belong to the requests.',
    returns: pages('PeriodCommentList', 'The comments of a period.', 'comments', ListedComment),
    async read(reader, call) {
      const { request_id } = await find(reader, call)
      return reader.rows(remarks, { request_id }).page('sequence', call.page)
    },
  }),
  route('changePeriodItem', `PATCH ${url}/items/:item_id`, {
    access: { ...write, ofDrafts: { scope: 'submit', role: 'member' } },
    path: { ...PATH, item_id: Type.String({ description: 'Of the item.' }) },
    summary: 'Review an item of a period, comment on it, or change its owner or due date',
    description:
      'A review is about the files that are there: when they change, the item is to review again. An item whose source is a request is reviewed there. A member comments and asks for a review (`to_review`, with the scope `submit`); the rest needs a manager, or the scope `requests`.',
    body: Change,
    example: { status: 'not_applicable', reason: 'No accounts were added.' },
    check: (sent) => [
      ...(Object.keys(sent).some((name) => name !== 'reason')
        ? []
        : [{ param: 'status', text: 'send status, comment, owner or due_at' }]),
      ...dueProblems('due_at', sent.due_at),
    ],
    returns: Period,
    codes: [...OPEN, 'period_item_not_found', 'period_item_without_files', 'comment_limit'],
    async handle(unit, call, ctx: RequestContext) {
      if (!isWork(call.body)) requireFullAccess(call.request)
      const period = await locked(unit, call)
      const item = findItem(period, call.params.item_id)
      // It is reviewed where it is answered.
      const answered = item.part === null ? period : await lockRequest(unit, item.request_id)
      await reviewItem(unit, ctx, answered, item.item_id, call.body, workspaceOf(call.caller).actor)
      await changeTerms(unit, period, item, call.body)
      return shown(unit, await find(unit, call))
    },
  }),
  route('removePeriodFile', `DELETE ${url}/files/:position`, {
    access: { scope: 'submit', role: 'member' },
    path: { ...PATH, position: Type.String({ description: '`position` of the file.' }) },
    summary: 'Remove a file from a period',
    description: 'Of an internal item, until the period is sealed.',
    codes: [...OPEN, 'period_file_not_found'],
    async handle(unit, call) {
      const period = await locked(unit, call)
      const file = period.files.drafted.find(({ position }) => String(position) === call.params.position)
      if (file === undefined)
        throw new Refusal('period_file_not_found', 'The period has no file at this position.')
      await removeEvidence(unit.db, file.submission_id, file.position, Date.parse(unit.at))
      await record(unit, period, 'program.file_removed', { item: folderOf(file.name) })
    },
  }),
  route('sealPeriod', `POST ${url}/seal`, {
    access: write,
    status: 202,
    path: PATH,
    summary: 'Seal a period',
    description:
      'Gathers what suppliers sent, and submits all files: they become a kit of the series of the program. Items without files do not prevent it. `reports/program.json` in the kit says what was missing. If the files fail their checks, the period is open again. `open_requests` of the response are closed with it.',
    body: body('SealRequest', {
      accept: Type.Optional(AcceptedCodes()),
      early: Type.Optional(Type.Boolean({ description: 'Seal it before it begins. False by default.' })),
    }),
    example: {},
    check: checkAccept,
    returns: Period,
    location: '/v1/submissions/:submission_id',
    codes: [...OPEN, 'period_not_begun', ...UPLOAD_CODES, 'evidence_gone'],
    async run(ctx: RequestContext, call, reply) {
      const caller = workspaceOf(call.caller)
      const { workspaceId } = caller
      const row = await ctx.units.read(caller, (reader) => find(reader, call))
      ctx.queue.refuseWhenFull(workspaceId)
      await sealPeriod(ctx, row, call.body, caller)
      ctx.queue.added(workspaceId)
      reply.header('retry-after', ctx.queue.retryAfter(workspaceId))
      return ctx.units.read(caller, async (reader) => shown(reader, await find(reader, call)))
    },
  }),
  route('getPeriodFile', `GET ${url}/evidence/*`, {
    access: read,
    path: {
      ...PATH,
      file_path: Type.String({ description: 'The name of the file, with the folder of its item.' }),
    },
    summary: 'Download one file of a period',
    description:
      'By its name, such as `CC6.1/review.csv`: the folder is the ID of its item. A slash can be sent as `/` or as `%2F`. Before the period is sealed, the file has not been examined yet, or only for the request that it answers. Supports ranges, `If-None-Match` and HEAD.',
    responses: {
      200: AnyFile,
      206: AnyFile,
      ...notModified,
    },
    codes: FILE_CODES,
    async send(ctx: RequestContext, call, reply) {
      const caller = workspaceOf(call.caller)
      const { workspaceId } = caller
      const { '*': name = '' } = call.request.params as { readonly '*'?: string }
      const period = await ctx.units.read(caller, async (reader) => viewOf(reader, await find(reader, call)))
      const isSealed = period.status === 'sealed' && period.kit_id !== null
      const kit = isSealed ? await ctx.kits.find(period.kit_id) : undefined
      if (kit !== undefined) return sendKitFile(call.request, reply, { kit, path: `data/${name}` }, ctx)
      const file = period.items.flatMap(({ files }) => files).find((each) => each.name === name)
      if (file === undefined)
        throw new Refusal('deliverable_not_found', 'The period has no file with this name.')
      const { sha256, size_bytes: sizeBytes, submission_id: subject, object } = file
      const offset = Number(file.offset_bytes)
      const entry = { path: name, sha256, sizeBytes: Number(sizeBytes), crc32: 0, object, offset }
      return sendStoredFile(call.request, reply, entry, { workspaceId, subject }, ctx)
    },
  }),
]
