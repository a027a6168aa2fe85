import {
  ENVELOPE,
  type JsonValue,
  type Manifest,
  parseJwks,
  parseStrictJson,
  proofBytes,
  proveFile,
  type Receipt,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { readCookie } from '../access/console-place.ts'
import type { DownloadLog } from '../audit/download-log.ts'
import { makeSecret, readSecret } from '../database/secret.ts'
import { linkScope } from '../http/link-scope.ts'
import { asReturned, sends } from '../http/resource.ts'
import { register, route } from '../http/route.ts'
import { kitExpired, readDocument } from '../kits/kit-documents.ts'
import type { KitRecord } from '../kits/kit-queries.ts'
import { sendKitFile, sendKits, sendZip } from '../kits/send-kit.ts'
import { Refusal } from '../refusals.ts'
import { countComment, countWrite } from '../requests/remarks.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { describeRoom, describeShare } from './describe-share.ts'
import {
  notInRoom,
  type OpenKit,
  type OpenShare,
  paramsOf,
  SHARE_COOKIE,
  type ShareDoor,
  shareDoor,
  unlockValue,
} from './open-share.ts'
import {
  insertAccess,
  isVisiting,
  linkOf,
  recordReading,
  recordView,
  rejectExhausted,
} from './record-access.ts'
import {
  addComment,
  changeQuestion,
  CommentResource,
  findComment,
  markReviewed,
  placeIn,
  prepareComment,
  ReviewerChange,
  ReviewerComment,
  reviewerOf,
  ReviewRequest,
  roomRemarks,
} from './room-remarks.ts'
import { kitsOf, type ShareContext } from './share.ts'

const VISIT_COOKIE = 'kitseal-visit'
const UNLOCKED_MS = 12 * 60 * 60_000
const PAGE = 100
const COMMENT_LIMIT_BYTES = 64 * 1024

interface LinkContext extends ShareContext {
  readonly door: ShareDoor
}

interface Call {
  readonly request: FastifyRequest
}

function cookie({ issuer }: LinkContext, request: FastifyRequest, name: string, value: string, life = '') {
  const secure = issuer().startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=/s/${paramsOf(request).token}${life}; HttpOnly; SameSite=Strict${secure}`
}

async function describe(ctx: LinkContext, { request }: Call, reply: FastifyReply): Promise<object> {
  const open = await ctx.door.open(request)
  const isRoom = open.kitId === null && paramsOf(request).kit_id === undefined
  const kit = isRoom ? undefined : await ctx.door.openKit(request)
  if (request.method === 'GET')
    await recordView(ctx, { ...(kit ?? open), kind: 'opened', name: null, ip: request.ip })
  const visit = visitOf(request)
  if (visit === undefined) reply.header('set-cookie', cookie(ctx, request, VISIT_COOKIE, makeSecret().text))
  const reading = { ...open, ip: request.ip, visit }
  const isSame = await ctx.units.read(linkOf(open), (reader) => isVisiting(reader, reading))
  return kit === undefined ? describeRoom(ctx, open, isSame) : describeShare(ctx, kit, isSame)
}

const mayRead = (ctx: LinkContext, request: FastifyRequest, open: OpenShare): Promise<void> =>
  rejectExhausted(ctx, { ...open, ip: request.ip, visit: visitOf(request) })

async function openFiles(ctx: LinkContext, request: FastifyRequest): Promise<OpenKit> {
  const open = await ctx.door.openKit(request)
  await mayRead(ctx, request, open)
  return open
}

async function openRoom({ door }: LinkContext, request: FastifyRequest): Promise<OpenShare> {
  const open = await door.open(request)
  if (open.share.title === null) throw new Refusal('room_not_found', 'This is the share of one kit.')
  return open
}

/** Below `view` for the page, which verifies and previews, and below the kit in a room. */
const filesBelow = (prefix: '' | '/view' | '/kits/:kit_id' | '/kits/:kit_id/view') => {
  const kind = prefix.endsWith('/view') ? 'viewed' : 'downloaded'
  const sender = (ctx: LinkContext, request: FastifyRequest, open: OpenKit) => ({
    ...ctx,
    isChecked: kind === 'downloaded',
    downloads: readings(ctx, open, kind, visitOf(request), [open.kitId]),
  })
  return [
    route('downloadSharedKit', `GET ${prefix}/kit.zip`, {
      responses: {},
      async send(ctx: LinkContext, { request }, reply) {
        const open = await openFiles(ctx, request)
        if (open.share.paths !== null) throw notShared()
        return sendZip(request, reply, open.kit, sender(ctx, request, open))
      },
    }),
    route('downloadSharedFile', `GET ${prefix}/files/*`, {
      responses: {},
      async send(ctx: LinkContext, { request, params }, reply) {
        const open = await openFiles(ctx, request)
        const path = sharedPath(open, params['*'])
        return sendKitFile(request, reply, { kit: open.kit, path }, sender(ctx, request, open))
      },
    }),
  ]
}

const proofsBelow = (prefix: '' | '/kits/:kit_id') =>
  route('downloadFileProof', `GET ${prefix}/proofs/*`, {
    responses: {},
    async send(ctx: LinkContext, { request, params }, reply) {
      const open = await openFiles(ctx, request)
      return sendProof(ctx, reply, open, sharedPath(open, params['*']))
    },
  })

/** What the pages read. Not in the API's description. */
const plain = { returns: asReturned(Type.Object({})), responses: {} }

const linkRoutes = [
  route('describeShare', 'GET /share.json', { ...plain, run: describe }),
  route('describeKitInRoom', 'GET /kits/:kit_id/share.json', { ...plain, run: describe }),
  route('unlockShare', 'POST /unlock', {
    bodyLimit: 4096,
    body: sends({ password: Type.String({ maxLength: 200 }) }),
    async run(ctx: LinkContext, { request, body }, reply) {
      const found = await ctx.door.find(paramsOf(request).token)
      await ctx.door.checkPassword(found, body.password, request.ip)
      const { share_id, password } = found.share
      if (password === null) return
      const value = unlockValue(share_id, password, ctx.clock.now() + UNLOCKED_MS)
      const life = `; Max-Age=${UNLOCKED_MS / 1000}`
      reply.header('set-cookie', cookie(ctx, request, SHARE_COOKIE, value, life))
    },
  }),
  ...filesBelow(''),
  ...filesBelow('/view'),
  ...filesBelow('/kits/:kit_id'),
  ...filesBelow('/kits/:kit_id/view'),
  proofsBelow(''),
  proofsBelow('/kits/:kit_id'),
]

/** Of what a reviewer writes. */
const written = {
  bodyLimit: COMMENT_LIMIT_BYTES,
  async before(request: FastifyRequest, ctx: LinkContext) {
    await countWrite(ctx, (await openRoom(ctx, request)).linkId)
  },
}

/** What only rooms have: comments, reviews, and several kits in one archive. */
const roomRoutes = [
  // One page, oldest first: comments and reviews have their numbers from one sequence.
  route('listRemarks', 'GET /remarks.json', {
    ...plain,
    query: { after: Type.Optional(Type.String({ pattern: '^\\d{1,9}$' })) },
    async run(ctx: LinkContext, { request, query }) {
      const open = await openRoom(ctx, request)
      const after = Number(query.after ?? 0)
      return ctx.units.read(linkOf(open), (reader) => roomRemarks(reader, open.share.share_id, after, PAGE))
    },
  }),
  route('commentAsReviewer', 'POST /comments', {
    ...written,
    status: 201,
    body: ReviewerComment,
    returns: CommentResource,
    responses: {},
    async run(ctx: LinkContext, { request, body: asked }) {
      const open = await openRoom(ctx, request)
      const { linkId, share } = open
      await countComment(ctx, { linkId, place: share.share_id, text: asked.text })
      const author = reviewerOf(open, asked.name)
      const prepared = await prepareComment(ctx, linkOf(open), share, asked)
      const { kit_id: kitId, path: name } = prepared.place
      return ctx.units.write(linkOf(open), 'comment', async (unit) => {
        await insertAccess(unit, { ...open, kind: 'commented', kitId, name, ip: request.ip })
        return addComment(unit, ctx, share, prepared, author)
      })
    },
  }),
  route('changeQuestion', 'PATCH /comments/:comment_id', {
    ...written,
    body: ReviewerChange,
    returns: CommentResource,
    responses: {},
    async run(ctx: LinkContext, { request, params, body: asked }) {
      const open = await openRoom(ctx, request)
      const { name, basis } = reviewerOf(open, asked.name)
      return ctx.units.write(linkOf(open), 'change question', async (unit) => {
        const question = await findComment(unit, open.share.share_id, params.comment_id)
        if (question.author.toLowerCase() !== name.toLowerCase() || question.author_basis !== basis)
          throw new Refusal('comment_not_found', 'Only the one who asked can change the state of a question.')
        return changeQuestion(unit, question, asked.state)
      })
    },
  }),
  route('reviewInRoom', 'PUT /reviews', {
    ...written,
    body: ReviewRequest,
    async run(ctx: LinkContext, { request, body: asked }) {
      const open = await openRoom(ctx, request)
      const author = reviewerOf(open, asked.name)
      const place = await placeIn(ctx, open.share, asked)
      const { is_reviewed: isReviewed } = asked
      await ctx.units.write(linkOf(open), 'review', async (unit) => {
        if (!(await markReviewed(unit, open.share, place, isReviewed, author))) return
        const kind = isReviewed ? 'reviewed' : 'review_withdrawn'
        const name = place.path ?? place.item_id
        await insertAccess(unit, { ...open, kind, kitId: place.kit_id, name, ip: request.ip })
      })
    },
  }),
  route('downloadRoom', 'GET /kits.zip', {
    responses: {},
    query: {
      kit: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 100 })])),
    },
    async send(ctx: LinkContext, { request, query: { kit } }, reply) {
      const open = await openRoom(ctx, request)
      await mayRead(ctx, request, open)
      const inRoom = await kitsOf(ctx.db, open.share)
      const asked = kit === undefined ? inRoom : inRoom.filter((id) => [kit].flat().includes(id))
      if (kit !== undefined && asked.length < new Set([kit].flat()).size) throw notInRoom()
      const found: KitRecord[] = []
      for (const id of asked) {
        const record = await ctx.kits.find(id)
        // Who asks for all gets what is there, and who asks for a kit that is gone is told.
        if (record !== undefined && (kit !== undefined || record.expired === undefined)) found.push(record)
      }
      const [first, ...others] = found
      if (first === undefined) throw new Refusal('kit_not_found', 'This room has no kits to download.')
      const ids = found.map(({ kitId }) => kitId)
      const downloads = readings(ctx, open, 'downloaded', visitOf(request), ids)
      return sendKits(request, reply, [first, ...others], { ...ctx, downloads })
    },
  }),
]

/** Everything below `/s/TOKEN` except the page. Returns what the page route needs. */
export function registerShareLinkRoutes(app: FastifyInstance, ctx: ShareContext) {
  const service = { ...ctx, door: shareDoor(ctx) }
  linkScope(app, '/s/:token', (scope) => register(scope, [...linkRoutes, ...roomRoutes], service))
  return {
    describe: (request: FastifyRequest, reply: FastifyReply) => describe(service, { request }, reply),
  }
}

/** From the first answer to the page. Requests with the same one from the same network belong together. */
const visitOf = (request: FastifyRequest): string | undefined =>
  readSecret(readCookie(request.headers.cookie, VISIT_COOKIE))

const readings = (
  ctx: ShareContext,
  open: OpenShare,
  kind: 'downloaded' | 'viewed',
  visit: string | undefined,
  kitIds: readonly KitId[],
): DownloadLog => ({
  record: ({ ip }, { name, start }) => recordReading(ctx, { ...open, kind, name, ip, visit, start, kitIds }),
  stop: async () => undefined,
})

/** The path, if it is shared. The answer does not say whether the kit has the file. */
function sharedPath({ share, kit }: OpenKit, path: string): string {
  const isShared = share.paths?.includes(path) ?? kit.entries.some((entry) => entry.path === path)
  if (!isShared) throw notShared()
  return path
}

const notShared = (): Refusal =>
  new Refusal('shared_file_not_found', 'This share has no file with this path.')

/** The Merkle proof of one file. Not a download: it holds no evidence. */
async function sendProof({ objects }: ShareContext, reply: FastifyReply, { kit }: OpenKit, path: string) {
  if (kit.expired !== undefined) throw kitExpired(kit)
  const read = async (name: string): Promise<JsonValue> =>
    parseStrictJson(await readDocument(objects, kit, name))
  const manifest = (await read(ENVELOPE.manifest)) as unknown as Manifest
  const receipt = (await read(ENVELOPE.receipt)) as unknown as Receipt
  const jwks = parseJwks(await read(ENVELOPE.keySet))
  const proof = jwks.ok ? proveFile(manifest, receipt, { keys: jwks.value.keys }, path, nodeHost) : undefined
  if (proof === undefined) throw notShared()
  const name = path.slice(path.lastIndexOf('/') + 1).replaceAll(/[^\w.-]/g, '_')
  return reply
    .header('content-disposition', `attachment; filename="${name}.proof.json"`)
    .type('application/json; charset=utf-8')
    .send(Buffer.from(proofBytes(proof)))
}
