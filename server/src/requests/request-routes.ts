import { Type } from 'typebox'
import { revokeLinks } from '../database/links.ts'
import { cutPage, type Reader, type Unit } from '../database/unit.ts'
import { workspaceOf } from '../http/caller.ts'
import { body, pages } from '../http/resource.ts'
import { route, type Service } from '../http/route.ts'
import { OptionalOrNull, LABEL, OneOf, SEVERAL_LINES_OF } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import { timestamp } from '../runtime/clock.ts'
import type { SubmissionContext } from '../submissions/submission-context.ts'
import {
  type Asked,
  createRequest,
  Due,
  dueProblems,
  emptyProblems,
  type FindProfile,
  itemProblems,
  itemsOfProfile,
  NewRequest,
  Recipients,
  sourceProblems,
  stored,
  storedItem,
} from './create-request.ts'
import { remarks } from './remarks.ts'
import {
  closeRequest,
  loadRequests,
  type Mailing,
  REQUEST_STATUSES,
  requests,
  type RequestRow,
  type RequestView,
  viewOf,
} from './request.ts'
import { mailReminder, supplierLink } from './request-mail.ts'
import { acceptAll, ItemReview, rejectOver, reviewItem } from './review-item.ts'
import {
  Created,
  Detail,
  type Link,
  List,
  ListedComment,
  NewLink,
  type Shown,
  shown,
  summaryOf,
} from './request-resource.ts'

export interface RequestContext extends SubmissionContext, Mailing, Service {
  /** Known once the service listens. */
  issuer(): string
  readonly findProfile: FindProfile
}

/** 500 items with descriptions. */
export const BODY_LIMIT_BYTES = 2 * 1024 * 1024

/** A new link to a request, for the supplier. */
async function newLink(unit: Unit, ctx: RequestContext, row: RequestRow): Promise<Link> {
  const { linkId, token, expiresAt } = await supplierLink(unit, ctx, row)
  await unit.record('request.link_created', row.request_id, { link_id: linkId })
  return { url: `${ctx.issuer().replace(/\/+$/, '')}/r/${token}`, expires_at: expiresAt }
}

async function revokeAll(unit: Unit, ctx: RequestContext, { request_id: subject }: RequestView) {
  const links = await revokeLinks(unit.db, ctx.clock, { purpose: 'request', subject })
  await unit.record('request.links_revoked', subject, { links })
}

const url = '/v1/requests/:evidence_request_id'
const read = { scope: 'read', role: 'viewer' } as const
const write = { scope: 'requests', role: 'member' } as const
export const Empty = body('Empty', {})

interface OfRequest {
  readonly params: { readonly evidence_request_id: string }
}
/** Periods are found through their programs. */
const ofSuppliers = (reader: Reader) => reader.own(requests).where('program_id', 'is', null)
const find = async (reader: Reader, { params }: OfRequest): Promise<RequestView> =>
  viewOf(reader, await ofSuppliers(reader).find(params.evidence_request_id))
/** The request of a route, which nobody else changes until the unit ends. */
const locked = async (unit: Unit, { params }: OfRequest): Promise<RequestView> =>
  viewOf(unit, await ofSuppliers(unit).lock(params.evidence_request_id))

async function create(unit: Unit, ctx: RequestContext, asked: Asked): Promise<Shown> {
  const row = await createRequest(unit, ctx, asked)
  return shown(unit, await viewOf(unit, row), await newLink(unit, ctx, row))
}

/** Asks for the same items again, with nothing received. Due dates of items move with that of the request. */
function copyOf(view: RequestView, changes: ReturnType<typeof stored>): Asked {
  const { title, message, series, profile, recipients } = view
  const { due_at = null } = changes
  const movedMs = Date.parse(due_at ?? '') - Date.parse(view.due_at ?? '')
  return {
    values: { title, message, series, profile, recipients, ...changes },
    items: view.items.map((item) => ({
      item_id: item.item_id,
      title: item.title,
      description: item.description,
      due_at:
        item.due_at === null || Number.isNaN(movedMs) ? null : timestamp(Date.parse(item.due_at) + movedMs),
    })),
  }
}

/** The link is not stored, so a retry gets another one. */
const creating = {
  access: write,
  status: 201,
  once: 'A retry with the same key within 24 hours creates no second request, and returns a new link to the first.',
  returns: Created,
  location: '/v1/requests/:evidence_request_id',
  async again(unit: Unit, response: object, ctx: RequestContext): Promise<object> {
    const { evidence_request_id: id } = response as { readonly evidence_request_id: string }
    return { link: await newLink(unit, ctx, await ofSuppliers(unit).find(id)) }
  },
}
const OPEN = ['request_not_open', 'mail_off'] as const

export const requestRoutes = [
  route('createRequest', 'POST /v1/requests', {
    ...creating,
    bodyLimit: BODY_LIMIT_BYTES,
    summary: 'Create a request',
    description:
      'Asks a supplier for evidence, item by item. The response has a link for the supplier, who needs no account. It is shown once.',
    body: NewRequest,
    example: { title: 'Access review Q4', items: [{ id: 'CC6.1', title: 'List of users' }] },
    codes: ['mail_off', 'profile_not_found'],
    check: (sent) => [
      ...itemProblems(sent.items),
      ...emptyProblems('title', sent.title),
      ...sourceProblems(sent),
      ...dueProblems('due_at', sent.due_at),
    ],
    async prepare(ctx: RequestContext, { body: asked, caller }) {
      const { workspaceId } = workspaceOf(caller)
      const { series = null, profile = null } = asked
      const items = asked.items ?? (await itemsOfProfile(ctx.findProfile, workspaceId, profile ?? ''))
      const { title } = asked
      return { values: { title, ...stored(asked), series, profile }, items: items.map(storedItem) }
    },
    handle: (unit, _call, ctx: RequestContext, asked) => create(unit, ctx, asked),
  }),
  route('listRequests', 'GET /v1/requests', {
    access: read,
    summary: 'List requests, newest first',
    description: 'Newest first. If `next_cursor` is not null, there are more.',
    query: { status: Type.Optional(OneOf(REQUEST_STATUSES)) },
    returns: List,
    async read(reader, { page, query: { status } }) {
      const found: RequestView[] = []
      const all = ofSuppliers(reader).orderBy('sequence', 'desc')
      const asked =
        status === undefined ? all : all.where('closed_at', status === 'closed' ? 'is not' : 'is', null)
      for (let { before } = page; found.length <= page.limit;) {
        const rows = await asked.where('sequence', '<', before).all(page.limit + 1)
        const views = await loadRequests(reader, rows)
        found.push(...views.filter((view) => status === undefined || view.status === status))
        if (rows.length <= page.limit) break
        before = views.at(-1)?.sequence ?? 0
      }
      const { rows, next } = cutPage(found, page.limit, ({ sequence }) => sequence)
      return { rows: rows.map(summaryOf), next }
    },
  }),
  route('getRequest', `GET ${url}`, {
    access: read,
    summary: 'Get a request',
    description: 'With its items, the files of the newest round, and the comments.',
    returns: Detail,
    read: async (reader, call) => shown(reader, await find(reader, call)),
  }),
  route('listRequestComments', `GET ${url}/comments`, {
    access: read,
    summary: 'List the comments of a request',
    description: 'On all items, newest first. If `next_cursor` is not null, there are more.',
    returns: pages('RequestCommentList', 'The comments of a request.', 'comments', ListedComment),
    async read(reader, call) {
      const { request_id } = await find(reader, call)
      return reader.rows(remarks, { request_id }).page('sequence', call.page)
    },
  }),
  route('changeRequest', `PATCH ${url}`, {
    access: write,
    summary: 'Change a request',
    description: 'Members that are left out stay as they are. The items do not change.',
    body: body('RequestUpdate', {
      title: Type.Optional(Type.String({ ...LABEL })),
      message: OptionalOrNull(Type.String(SEVERAL_LINES_OF(5000))),
      recipients: Type.Optional(Recipients()),
      due_at: OptionalOrNull(Due('When the request is due.')),
    }),
    example: { due_at: '2027-01-15' },
    check: (sent) => [...emptyProblems('title', sent.title), ...dueProblems('due_at', sent.due_at)],
    returns: Detail,
    codes: OPEN,
    async handle(unit, call) {
      const view = await locked(unit, call)
      rejectOver(view)
      const values = stored(call.body)
      await unit.update(requests, view.request_id, values)
      await unit.record('request.changed', view.request_id, {
        changed: Object.keys(values).toSorted().join(' '),
      })
      return shown(unit, await find(unit, call))
    },
  }),
  route('copyRequest', `POST ${url}/copy`, {
    ...creating,
    summary: 'Copy a request',
    description:
      'Asks for the same items again, with nothing received. Due dates of items move with that of the request.',
    body: body('RequestCopy', {
      title: Type.Optional(Type.String({ ...LABEL })),
      due_at: OptionalOrNull(Due('When the copy is due.')),
      recipients: Type.Optional(Recipients()),
    }),
    example: { title: 'Access review Q1' },
    check: (sent) => [...emptyProblems('title', sent.title), ...dueProblems('due_at', sent.due_at)],
    codes: ['mail_off'],
    handle: async (unit, call, ctx: RequestContext) =>
      create(unit, ctx, copyOf(await locked(unit, call), stored(call.body))),
  }),
  route('createRequestLink', `POST ${url}/links`, {
    access: write,
    status: 200,
    summary: 'Create a link for the supplier',
    description:
      'Links that were created before keep working. With `replace`, they stop working at once, also those in mails.',
    body: body('NewRequestLink', {
      replace: Type.Optional(Type.Boolean({ description: 'Whether the links that exist stop working.' })),
    }),
    example: {},
    returns: NewLink,
    codes: OPEN,
    async handle(unit, call, ctx: RequestContext) {
      const view = await locked(unit, call)
      rejectOver(view)
      if (call.body.replace === true) await revokeAll(unit, ctx, view)
      return { evidence_request_id: view.request_id, ...(await newLink(unit, ctx, view)) }
    },
  }),
  route('revokeRequestLinks', `DELETE ${url}/links`, {
    access: write,
    summary: 'Revoke the links of a request',
    description: 'Every link that was created so far stops working at once.',
    handle: async (unit, call, ctx: RequestContext) => revokeAll(unit, ctx, await locked(unit, call)),
  }),
  route('remindSupplier', `POST ${url}/remind`, {
    access: write,
    summary: 'Remind the supplier',
    description:
      'Queues a mail to each recipient, with a link of its own; earlier links keep working. `mails` of the response says what became of each. `mail_off` if the service has no mail server: then send a link yourself.',
    body: Empty,
    example: {},
    returns: Detail,
    codes: [...OPEN, 'request_without_recipients'],
    async handle(unit, call, ctx: RequestContext) {
      const view = await locked(unit, call)
      rejectOver(view)
      if (!ctx.mail.isOn)
        throw new Refusal('mail_off', 'This service sends no mail. Create a link and send it yourself.')
      if (view.recipients.length === 0)
        throw new Refusal('request_without_recipients', 'This request has no recipients to remind.')
      await unit.record('request.reminded', view.request_id)
      await mailReminder(unit, ctx, view)
      return shown(unit, await find(unit, call))
    },
  }),
  route('reviewItem', `POST ${url}/items/:item_id`, {
    access: write,
    path: { evidence_request_id: Type.String(), item_id: Type.String({ description: '`id` of the item.' }) },
    summary: 'Review an item, or comment on it',
    description:
      '`accepted` needs submitted files. `needs_changes` reopens this item: the supplier can send files again, which gives a new kit. `not_applicable` needs a reason. `to_review` takes a review back until it is sealed in a kit.',
    body: ItemReview,
    example: { status: 'needs_changes', comment: 'Please send the signed version.' },
    check: ({ status, comment }) =>
      status === undefined && comment === undefined
        ? [{ param: 'status', text: 'send status or comment' }]
        : [],
    returns: Detail,
    codes: [
      'request_item_not_found',
      'request_not_open',
      'request_item_without_files',
      'request_review_sealed',
      'evidence_invalid',
    ],
    async handle(unit, call, ctx: RequestContext) {
      const view = await locked(unit, call)
      await reviewItem(unit, ctx, view, call.params.item_id, call.body, workspaceOf(call.caller).actor)
      return shown(unit, await find(unit, call))
    },
  }),
  route('acceptRequest', `POST ${url}/accept`, {
    access: write,
    summary: 'Accept every item with files to review',
    description:
      'Items without files, and those that were sent back, stay as they are. The response has the status of each.',
    body: Empty,
    example: {},
    returns: Detail,
    codes: ['request_not_open', 'request_item_without_files'],
    async handle(unit, call, ctx: RequestContext) {
      const view = await locked(unit, call)
      await acceptAll(unit, ctx, view, workspaceOf(call.caller).actor)
      return shown(unit, await find(unit, call))
    },
  }),
  route('closeRequest', `POST ${url}/close`, {
    access: write,
    summary: 'Close a request',
    description: 'The supplier can still read it and download the kit.',
    body: Empty,
    example: {},
    returns: Detail,
    async handle(unit, call) {
      const view = await locked(unit, call)
      await closeRequest(unit, view)
      return shown(unit, await find(unit, call))
    },
  }),
]
