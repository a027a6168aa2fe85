import { Type } from 'typebox'
import { revokeLinks } from '../database/links.ts'
import { type Acting, cutPage, type Reader, type Unit } from '../database/unit.ts'
import { type Answer, body, member, pages, resource } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { NullableString, ADDRESS } from '../http/schema-parts.ts'
import type { RefusalCode } from '../refusals.ts'
import type { KitId } from '../runtime/identifiers.ts'
import {
  createShare,
  type PreparedShare,
  prepareChange,
  prepareRoom,
  prepareShare,
  type RoomAsked,
  RoomRequest,
  type ShareAsked,
  ShareChange,
  ShareRequest,
} from './create-share.ts'
import { shareAccesses } from './record-access.ts'
import {
  findShares,
  kitDetail,
  type NewLinks,
  ownShare,
  ownUnrevoked,
  recipientsAsked,
  RoomResource,
  type Share,
  type ShareContext,
  ShareResource,
  shares,
  type Shown,
  shown,
} from './share.ts'
import { createLinks } from './share-mail.ts'

const BODY_LIMIT_BYTES = 1024 * 1024
const read = { scope: 'read', role: 'viewer' } as const
const write = { scope: 'shares', role: 'member' } as const
const NEW_SHARE = ['kit_not_found', 'series_not_found', 'mail_off', 'kit_expired'] as const
const OPEN_SHARE = ['share_expired', 'share_revoked', 'share_exhausted', 'mail_off'] as const

const ShareLinkRequest = body(
  'ShareLinkRequest',
  {
    recipient: Type.Optional(
      Type.String({
        ...ADDRESS,
        description: 'Email address. Without it, the link is for anyone who has it.',
      }),
    ),
  },
  'Body of POST /v1/shares/{share_id}/links and /v1/rooms/{room_id}/links.',
)

const AccessResource = resource('ShareAccess', 'Someone used a share.', shareAccesses, {
  without: ['share_id', 'sequence', 'link_id', 'visit'],
  boundary: 'none',
  and: {
    seq: member(Type.Integer({ minimum: 1 }), ({ sequence }: AccessRow) => sequence),
    recipient: NullableString('Whose link was used. Null if it was `url`.'),
  },
})
interface AccessRow extends ReturnType<typeof shareAccesses.decode> {
  readonly recipient: string | null
}
const ShareAccessList = pages(
  'ShareAccessList',
  'The access log of a share or room.',
  'accesses',
  AccessResource,
  {
    share_id: Type.String({ description: 'The ID of the share or room.' }),
  },
  'Newest first.',
)

/** A retry does not get the links, because they are not stored. */
const withLinks = ({ schema, show }: Answer<Shown>): Answer<Shown> => ({
  schema,
  show: (out, isFirst) => {
    const recipients = out.recipients.map((each) => Object.assign({}, each, { url: null }))
    return show(isFirst ? out : { ...out, url: null, recipients }, isFirst)
  },
})

/** A room is a share of several kits: the same operations serve both. */
const SHARES = {
  noun: 'share',
  name: 'Share',
  url: '/v1/shares',
  one: '/v1/shares/:share_id',
  id: 'share_id',
  resource: ShareResource,
  list: pages('ShareList', 'The shares of a workspace, newest first.', 'shares', ShareResource),
  query: { kit_id: Type.Optional(Type.String({ description: 'Only shares of this kit.' })) },
  codes: NEW_SHARE as readonly RefusalCode[],
  changeCodes: OPEN_SHARE as readonly RefusalCode[],
} as const
const ROOMS = {
  noun: 'room',
  name: 'Room',
  url: '/v1/rooms',
  one: '/v1/rooms/:room_id',
  id: 'room_id',
  resource: RoomResource,
  list: pages('RoomList', 'The rooms of a workspace, newest first.', 'shares', RoomResource),
  query: {},
  codes: [...NEW_SHARE, 'program_not_found'] as readonly RefusalCode[],
  changeCodes: [...OPEN_SHARE, ...NEW_SHARE] as readonly RefusalCode[],
} as const
type Kind = typeof SHARES | typeof ROOMS

/** The parameter of the path. */
const idIn = (params: object): string => String(Object.values(params)[0])

const showOne = async (reader: Reader, row: Share, links?: NewLinks): Promise<Shown> =>
  (await shown(reader, [row], links))[0]!

const created = ({ noun, url, id, codes, resource: shows }: Kind) => ({
  access: write,
  bodyLimit: BODY_LIMIT_BYTES,
  once: `A retry with the same key within 24 hours creates no second ${noun}. Its response has no \`url\`, because the link is not stored.`,
  returns: withLinks(shows),
  location: `${url}/:${id}`,
  codes,
  async handle(unit: Unit, _call: unknown, ctx: ShareContext, prepared: PreparedShare) {
    const { recipients, ...asked } = prepared
    const row = await createShare(unit, ctx, asked, recipients)
    const links = await createLinks(unit, ctx, row, recipients.length === 0 ? [null] : recipients)
    return showOne(unit, row, links)
  },
})

interface Asked<B> {
  readonly body: B
  readonly acting: Acting
}

const createRoutes = {
  share: route('createShare', `POST ${SHARES.url}`, {
    ...created(SHARES),
    summary: 'Share a kit',
    description:
      'Creates a link for someone without an account. `url` is in this response only: the service stores a hash of it. With `paths`, the recipient sees only these files, each with its file proof. With `recipients`, each of them gets a link of their own by mail and there is no other link; if the service sends no mail, their links are in the response.',
    body: ShareRequest,
    example: { kit_id: '$KIT_ID', expires_at: '$(date -u -d +14days +%FT%TZ)' },
    prepare: (ctx: ShareContext, call: Asked<ShareAsked>) => prepareShare(ctx, call.body, call.acting),
  }),
  room: route('createRoom', `POST ${ROOMS.url}`, {
    ...created(ROOMS),
    summary: 'Open a room',
    description:
      'A share of several kits: one link per reviewer, who verifies and downloads the kits, asks questions, and says what is reviewed. With `series` or `program`, kits that come while the room is open are in it. All reviewers of a room see its comments and their authors. Links work as those of a share.',
    body: RoomRequest,
    example: {
      title: 'Audit 2026',
      kits: ['$KIT_ID'],
      expires_at: '$(date -u -d +14days +%FT%TZ)',
      recipients: ['ann@auditor.example'],
    },
    prepare: (ctx: ShareContext, call: Asked<RoomAsked>) => prepareRoom(ctx, call.body, call.acting),
  }),
}

/** Create, list, get, change and revoke shares or rooms, and read their access logs. */
const routesOf = (kind: Kind) => {
  const { noun, name, url, one, query, list, resource: shows, changeCodes } = kind
  return [
    createRoutes[noun],
    route(`list${name}s`, `GET ${url}`, {
      access: read,
      summary: `List ${noun}s, newest first`,
      description: 'Newest first. If `next_cursor` is not null, there are more.',
      query,
      returns: list,
      async read(reader, { page, query: asked }) {
        const kitId = 'kit_id' in asked ? asked.kit_id : undefined
        const rows = await findShares(reader, (all) =>
          all
            .where('workspace_id', '=', reader.workspaceId)
            .where('sequence', '<', page.before)
            .where('title', noun === 'room' ? 'is not' : 'is', null)
            .$if(kitId !== undefined, (some) => some.where('share_kits.kit_id', '=', kitId as KitId))
            .orderBy('sequence', 'desc')
            .limit(page.limit + 1),
        )
        const { rows: listed, next } = cutPage(rows, page.limit, ({ sequence }) => sequence)
        return { rows: await shown(reader, listed), next }
      },
    }),
    route(`get${name}`, `GET ${one}`, {
      access: read,
      summary: `Get a ${noun}`,
      description: 'Its link, its limits, and how often it was used.',
      returns: shows,
      read: async (reader, { params }) => showOne(reader, await ownShare(reader, noun, idIn(params))),
    }),
    route(`list${name}Accesses`, `GET ${one}/accesses`, {
      access: read,
      summary: `Get the access log of a ${noun}`,
      description:
        'Who opened the page, viewed or downloaded files, and when, newest first. Addresses are truncated to their network. The same view by the same network within 10 minutes is one entry.',
      returns: ShareAccessList,
      async read(reader, { params, page }) {
        const { share_id } = await ownShare(reader, noun, idIn(params))
        const found = await reader.rows(shareAccesses, { share_id }).page('sequence', page)
        const links = await reader.db
          .selectFrom('links')
          .select(['link_id', 'recipient'])
          .where('subject_id', '=', share_id)
          .execute()
        const people = new Map(links.map(({ link_id, recipient }) => [link_id, recipient]))
        const rows = found.rows.map((row) => ({ ...row, recipient: people.get(row.link_id) ?? null }))
        return { share_id, rows, next: found.next }
      },
    }),
    route(`change${name}`, `PATCH ${one}`, {
      access: write,
      summary: `Change a ${noun}`,
      description: `Changes expiry, password, download limit or notices. Its links stay the same. A new password is asked for at once; a revoked ${noun} stays revoked.`,
      body: ShareChange,
      example: { max_downloads: 3, password: null },
      returns: shows,
      codes: changeCodes,
      async prepare(ctx: ShareContext, { params, body: asked, acting }) {
        await ctx.units.read(acting, (reader) => ownUnrevoked(reader, noun, idIn(params)))
        return prepareChange(ctx, asked)
      },
      async handle(unit, { params }, _ctx, columns) {
        const row = await ownUnrevoked(unit, noun, idIn(params))
        const { password, ...others } = columns
        if (Object.keys(columns).length === 0) return showOne(unit, row)
        await unit.update(shares, row.share_id, columns)
        await unit.record('share.changed', row.share_id, {
          ...kitDetail(row),
          ...others,
          ...(password === undefined ? {} : { has_password: password !== null }),
        })
        return showOne(unit, await ownShare(unit, noun, row.share_id))
      },
    }),
    route(`create${name}Link`, `POST ${one}/links`, {
      access: write,
      summary: `Create or replace a link of a ${noun}`,
      description: `A new link for one recipient, who is added if the ${noun} has no such recipient, or for anyone. Their former link stops working. The link is mailed; if the service sends no mail, it is in this response only.`,
      once: 'A retry with the same key within 24 hours creates no second link.',
      body: ShareLinkRequest,
      example: { recipient: 'ann@auditor.example' },
      returns: withLinks(shows),
      location: `${url}/:${kind.id}`,
      codes: OPEN_SHARE,
      async handle(unit, { params, body: asked }, ctx: ShareContext) {
        const row = await ownUnrevoked(unit, noun, idIn(params))
        const [recipient = null] = recipientsAsked(asked.recipient === undefined ? [] : [asked.recipient])
        const { share_id: subject } = row
        const replaced = await revokeLinks(unit.db, ctx.clock, { purpose: 'share', subject, recipient })
        const links = await createLinks(unit, ctx, row, [recipient])
        const details = { ...kitDetail(row), recipient, replaced: replaced > 0 }
        await unit.record('share.link_created', subject, details)
        return showOne(unit, row, links)
      },
    }),
    route(`revoke${name}Link`, `DELETE ${one}/links`, {
      access: write,
      summary: `Revoke the link of one recipient of a ${noun}`,
      description: `It stops working at once, on every node. The other links of the ${noun} stay.`,
      query: {
        recipient: Type.Optional(
          Type.String({ ...ADDRESS, description: 'Email address. Without it, the link for anyone.' }),
        ),
      },
      async handle(unit, { params, query: { recipient = null } }, { clock }: ShareContext) {
        const row = await ownShare(unit, noun, idIn(params))
        const ended = { purpose: 'share', subject: row.share_id, recipient } as const
        if ((await revokeLinks(unit.db, clock, ended)) === 0) return
        await unit.record('share.link_revoked', row.share_id, { ...kitDetail(row), recipient })
      },
    }),
    route(`revoke${name}`, `DELETE ${one}`, {
      access: write,
      summary: `Revoke a ${noun}`,
      description: 'The link stops working at once, on every node. Repeating it changes nothing.',
      async handle(unit, { params }, { clock }: ShareContext) {
        const row = await ownShare(unit, noun, idIn(params))
        const { revoked_at } = await unit.own(shares).lock(row.share_id)
        if (revoked_at !== null) return
        await unit.update(shares, row.share_id, { revoked_at: unit.at })
        await revokeLinks(unit.db, clock, { purpose: 'share', subject: row.share_id })
        await unit.record('share.revoked', row.share_id, kitDetail(row))
      },
    }),
  ]
}

export const shareRoutes = [...routesOf(SHARES), ...routesOf(ROOMS)]
