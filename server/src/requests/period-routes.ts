import { Type } from 'typebox'
import { requireFullAccess } from '../access/may-call.ts'
import type { Reader, Unit } from '../database/unit.ts'
import { workspaceOf } from '../http/caller.ts'
import { body, member, type Members, pages, resource } from '../http/resource.ts'
import { route } from '../http/route.ts'
import {
  notModified,
  Count,
  DateTime,
  NullableString,
  NullableTime,
  OptionalOrNull,
  ADDRESS,
  OneOf,
} from '../http/schema-parts.ts'
import { AnyFile, FILE_CODES } from '../kits/kit-routes.ts'
import { sendKitFile, sendStoredFile } from '../kits/send-kit.ts'
import { Refusal } from '../refusals.ts'
import type { CallerActor } from '../runtime/actor.ts'
import type { MemberId } from '../runtime/identifiers.ts'
import { checkAccept } from '../submissions/check-body.ts'
import { removeEvidence } from '../submissions/add-evidence.ts'
import { UPLOAD_CODES } from '../submissions/submission-refusals.ts'
import { AcceptedCodes } from '../submissions/submission-schemas.ts'
import { dueOf, dueProblems, Recipients } from './create-request.ts'
import { openNext } from './open-period.ts'
import {
  findPeriod,
  loadPeriod,
  openParts,
  PERIOD_STATUSES,
  type PeriodItem,
  type PeriodView,
  rejectSealed,
} from './period.ts'
import { ITEM_SOURCES, ownersOf, programs } from './program.ts'
import { type Comments, newestComments, remarks, type Remark } from './remarks.ts'
import {
  emailsOf,
  folderOf,
  ITEM_STATUSES,
  lockRequest,
  type Mailing,
  progressOf,
  requestItems,
  requests,
  type RequestRow,
} from './request.ts'
import { COMMENT, FILE, ListedComment, ProgressSchema } from './request-resource.ts'
import { Empty, type RequestContext } from './request-routes.ts'
import { recordOfPeriod, REVIEW, reviewItem, updateItem } from './review-item.ts'
import { sealPeriod } from './seal-period.ts'

const SUMMARY: Members<PeriodView> = {
  period: Type.String({ description: 'Its name, such as `2026-Q4`, `2026-11`, `2026-H2`, `2026` or `1`.' }),
  from: member(
    Type.String({ format: 'date', description: 'Its first day.' }),
    ({ from_on }: PeriodView) => from_on ?? '',
  ),
  to: member(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date',
      description: 'Its last day. Null without a cadence.',
    }),
    ({ to_on }: PeriodView) => to_on,
  ),
  status: OneOf(
    PERIOD_STATUSES,
    '`failed`: the files were not sealed because of their findings. They can be corrected, and the period sealed again.',
  ),
  due_at: member(
    NullableTime('When the last of its items is due.'),
    ({ items }: PeriodView) =>
      items
        .map(({ due }) => due)
        .toSorted()
        .at(-1) ?? null,
  ),
  submission_id: member(
    Type.String({ description: 'Its draft, and then the submission of its kit.' }),
    ({ newest }: PeriodView) => newest.submission_id,
  ),
  failed_submission_id: member(
    NullableString('If its status is `failed`, the submission with the findings.'),
    ({ status, rounds }: PeriodView) => (status === 'failed' ? (rounds.at(-2)?.submission_id ?? null) : null),
  ),
  kit_id: member(NullableString('Null until it is sealed.'), ({ status, kit_id }: PeriodView) =>
    status === 'sealed' ? kit_id : null,
  ),
  progress: member(ProgressSchema(), ({ items }: PeriodView) => progressOf(items)),
  opened_at: member(DateTime(), ({ created_at }: PeriodView) => created_at),
  sealed_at: member(NullableTime('When the kit was issued.'), ({ status, newest }: PeriodView) =>
    status === 'sealed' ? newest.issued_at : null,
  ),
}
/** In a board, and in a list of programs. */
export const PeriodSummary = resource<typeof requests.columns, PeriodView & RequestRow>('', '', requests, {
  only: [],
  boundary: 'none',
  and: SUMMARY,
})

interface ShownItem extends PeriodItem {
  readonly comments: readonly (Remark & { readonly email: string | null })[]
}
const Item = resource('PeriodItem', '', requestItems, {
  only: ['title', 'description'],
  boundary: 'none',
  and: {
    item_id: Type.String({ description: 'Also the folder of its files in the kit.' }),
    owner: NullableString('The email address of the member who supplies it.'),
    source: OneOf(ITEM_SOURCES),
    recipients: member(
      Type.Array(Type.String(), { description: 'Email addresses of the supplier.' }),
      ({ request }: ShownItem) => request?.recipients ?? [],
    ),
    due_at: member(DateTime(), ({ due }: ShownItem) => due),
    is_late: Type.Boolean({ description: 'Whether it is past due, with nothing to review.' }),
    status: OneOf(
      ITEM_STATUSES,
      '`collected`: it has files. `to_review`: someone asks for a review, or its files changed after one.',
    ),
    not_applicable: member(
      NullableString('Why it does not apply.'),
      ({ reason_given }: ShownItem) => reason_given,
    ),
    evidence_request_id: member(
      NullableString('The request to the supplier.'),
      ({ request }: ShownItem) => request?.request_id ?? null,
    ),
    files: member(
      Type.Array(
        Type.Object({
          submission_id: Type.String({
            description: 'The draft of the period, or the answer to the request.',
          }),
          ...FILE,
          same_as: Type.Unsafe<{ period: string; name: string } | null>({
            type: ['object', 'null'],
            description: 'The file of the period before with the same bytes. Its name can differ.',
            required: ['period', 'name'],
            properties: { period: Type.String(), name: Type.String() },
          }),
        }),
      ),
      ({ files }: ShownItem) => [...files],
    ),
    comments: member(
      Type.Array(
        Type.Object({
          by: OneOf(['workspace', 'supplier']),
          email: NullableString('Of the member who wrote it.'),
          ...COMMENT,
        }),
        { description: 'The newest, oldest first.' },
      ),
      ({ comments }: ShownItem) =>
        comments.map(({ side, email, text, created_at }) => ({
          by: side === 'supplier' ? ('supplier' as const) : ('workspace' as const),
          email,
          text: text ?? '',
          created_at,
        })),
    ),
  },
})

interface Shown extends PeriodView {
  readonly comments: Comments
  readonly emails: ReadonlyMap<string | null, string>
}
const Period = resource<typeof requests.columns, Shown & RequestRow>(
  'Period',
  'A period of a program, with its items and their files.',
  requests,
  {
    only: [],
    boundary: 'alone',
    and: {
      program_id: Type.String(),
      ...SUMMARY,
      items: member(
        Type.Array(Type.Unsafe<object>(Item.item), { description: 'In the order of the program.' }),
        ({ items, comments, emails }: Shown) =>
          items.map((item) =>
            Item.showItem({
              ...item,
              comments: comments
                .of(item)
                .map((each) => Object.assign({ email: emails.get(memberIn(each)) ?? null }, each)),
            }),
          ),
      ),
      older_comments: member(
        Count(
          'Comments that are not in `items`, but in the lists of comments of the period and its requests.',
        ),
        ({ comments }: Shown) => comments.older,
      ),
      open_requests: member(
        Type.Array(
          Type.Object({
            evidence_request_id: Type.String(),
            recipients: Recipients(),
            items: Type.Array(Type.String()),
          }),
          {
            description:
              'Requests to suppliers that are not accepted. Sealing the period closes them, and tells their recipients.',
          },
        ),
        (period: Shown) =>
          openParts(period).map(({ request_id, recipients, items }) => ({
            evidence_request_id: request_id,
            recipients,
            items: items.map(({ item_id }) => item_id),
          })),
      ),
    },
  },
)

const memberIn = ({ written_by }: Remark): string => /^member:(.*)/.exec(written_by)?.[1] ?? ''

async function shown(reader: Reader, row: RequestRow): Promise<Shown> {
  const period = await loadPeriod(reader, row)
  const comments = await newestComments(reader, [period.own, ...period.parts])
  const writers = period.items.flatMap((item) => comments.of(item).map(memberIn))
  const emails = await emailsOf(reader, writers.filter((id) => id !== '') as MemberId[])
  return { ...period, comments, emails }
}

interface OfPeriod {
  readonly params: { readonly program_id: string; readonly period: string }
}
const find = async (reader: Reader, { params }: OfPeriod): Promise<RequestRow> =>
  findPeriod(reader, await reader.own(programs).find(params.program_id), params.period)
/** The period of a route, which nobody else changes until the unit ends. */
async function locked(unit: Unit, call: OfPeriod): Promise<PeriodView> {
  const period = await loadPeriod(unit, await unit.own(requests).lock((await find(unit, call)).request_id))
  rejectSealed(period)
  return period
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

/** An item is reviewed where it is answered: in its period, or in the request to its supplier. */
async function review(
  unit: Unit,
  ctx: Mailing,
  period: PeriodView,
  item: PeriodItem,
  change: Change,
  actor: CallerActor,
): Promise<void> {
  if (change.status === undefined && change.comment === undefined) return
  const view = item.request === null ? period.own : await lockRequest(unit, item.request.request_id)
  await reviewItem(unit, ctx, view, item.item_id, change, actor)
}

/** The owner and the due date. What a supplier sees of the due date changes too. */
async function changeTerms(unit: Unit, period: PeriodView, item: PeriodItem, { owner, due_at }: Change) {
  if (owner === undefined && due_at === undefined) return
  if (owner !== undefined && item.request !== null)
    throw new Refusal('body_invalid', 'owner is for internal items. The recipients supply this one.', {
      param: 'owner',
    })
  const ownerOf = await ownersOf(unit, [owner ?? null])
  const due = dueOf(due_at)
  await updateItem(unit, item, {
    ...(owner === undefined ? {} : { owner_id: owner === null ? null : ownerOf(owner, 'owner') }),
    ...(due === null ? {} : { due_at: due }),
  })
  const changed = [owner === undefined ? [] : 'owner', due === null ? [] : 'due_at'].flat().join(' ')
  await recordOfPeriod(unit, period, 'program.item_changed', { item: item.item_id, changed })
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
      const { program_id } = await unit.own(programs).find(params.program_id)
      const { request_id } = await openNext(unit, ctx, await unit.own(programs).lock(program_id))
      return shown(unit, await unit.own(requests).find(request_id))
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
      const item = period.items.find(({ item_id }) => item_id === call.params.item_id)
      if (item === undefined)
        throw new Refusal('period_item_not_found', 'The period has no item with this ID.', {
          param: 'item_id',
        })
      await review(unit, ctx, period, item, call.body, workspaceOf(call.caller).actor)
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
      const file = period.own.files.drafted.find(({ position }) => String(position) === call.params.position)
      if (file === undefined)
        throw new Refusal('period_file_not_found', 'The period has no file at this position.')
      await removeEvidence(unit.db, period.newest.submission_id, file.position, Date.parse(unit.at))
      await recordOfPeriod(unit, period, 'program.file_removed', { item: folderOf(file.name) })
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
      const period = await ctx.units.read(caller, async (reader) =>
        loadPeriod(reader, await find(reader, call)),
      )
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
