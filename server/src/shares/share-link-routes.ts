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
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { kitExpired, readDocument } from '../kits/kit-documents.ts'
import { sendKitFile, sendZip } from '../kits/send-kit.ts'
import { makeSecret, readSecret } from '../database/secret.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { linkScope } from '../http/link-scope.ts'
import type { Service } from '../http/route.ts'
import { Refusal } from '../refusals.ts'
import type { DownloadLog } from '../audit/download-log.ts'
import { describeRoom, describeShare } from './describe-share.ts'
import {
  cookieOf,
  type OpenKit,
  type OpenShare,
  SHARE_COOKIE,
  shareDoor,
  type ShareRequestOf,
} from './open-share.ts'
import { registerRoomLinkRoutes } from './room-link-routes.ts'
import { isVisiting, recordReading, recordView, rejectExhausted } from './record-access.ts'
import { type ShareContext, sharedPaths } from './share.ts'
import { unlockValue } from './share-password.ts'
import { Closed } from '../http/schema-parts.ts'

const VISIT_COOKIE = 'kitseal-visit'
const UNLOCKED_MS = 12 * 60 * 60_000
const UnlockBody = Closed({ password: Type.String({ maxLength: 200 }) })

type OfToken = { Params: { readonly token: string; readonly kit_id?: string } }
type OfFile = { Params: OfToken['Params'] & { readonly '*': string } }

/** Everything below `/s/TOKEN` except the page. Returns what the page route needs. */
export function registerShareLinkRoutes(
  app: FastifyInstance,
  ctx: ShareContext & Service,
): { describe: (request: ShareRequestOf, reply: FastifyReply) => Promise<object> } {
  const door = shareDoor(ctx)

  const cookie = (request: ShareRequestOf, name: string, value: string, life = ''): string => {
    const secure = ctx.issuer().startsWith('https:') ? '; Secure' : ''
    return `${name}=${value}; Path=/s/${request.params.token}${life}; HttpOnly; SameSite=Strict${secure}`
  }

  const describe = async (request: ShareRequestOf, reply: FastifyReply): Promise<object> => {
    const open = await door.open(request)
    const isRoom = open.kitId === null && request.params.kit_id === undefined
    const kit = isRoom ? undefined : await door.openKit(request)
    if (request.method === 'GET')
      await recordView(ctx, { ...(kit ?? open), kind: 'opened', name: null, ip: request.ip })
    const visit = visitOf(request)
    if (visit === undefined) reply.header('set-cookie', cookie(request, VISIT_COOKIE, makeSecret().text))
    const isSame = await isVisiting(ctx.db, ctx.clock, { ...open, ip: request.ip, visit })
    return kit === undefined ? describeRoom(ctx, open, isSame) : describeShare(ctx, kit, isSame)
  }

  const mayRead = (request: ShareRequestOf, open: OpenShare): Promise<void> =>
    rejectExhausted(ctx, { ...open, ip: request.ip, visit: visitOf(request) })
  const openFiles = async (request: ShareRequestOf): Promise<OpenKit> => {
    const open = await door.openKit(request)
    await mayRead(request, open)
    return open
  }

  linkScope(app, '/s/:token', (scope) => {
    scope.get<OfToken>('/share.json', describe)
    scope.get<OfToken>('/kits/:kit_id/share.json', describe)
    registerRoomLinkRoutes(
      scope,
      ctx,
      door,
      (request, open, kitIds) => readings(ctx, open, 'downloaded', visitOf(request), kitIds),
      mayRead,
    )

    scope.post<OfToken & { Body: Static<typeof UnlockBody> }>(
      '/unlock',
      { schema: { body: UnlockBody }, bodyLimit: 4096 },
      async (request, reply) => {
        const found = await door.find(request.params.token)
        await door.checkPassword(found, request.body.password, request.ip)
        const { share_id, password } = found.share
        if (password !== null) {
          const value = unlockValue(share_id, password, ctx.clock.now() + UNLOCKED_MS)
          reply.header('set-cookie', cookie(request, SHARE_COOKIE, value, `; Max-Age=${UNLOCKED_MS / 1000}`))
        }
        return reply.code(204).send()
      },
    )

    // Below `view` for the page, which verifies and previews, and below the kit in a room.
    for (const [prefix, kind] of [
      ['', 'downloaded'],
      ['/view', 'viewed'],
      ['/kits/:kit_id', 'downloaded'],
      ['/kits/:kit_id/view', 'viewed'],
    ] as const) {
      const isChecked = kind === 'downloaded'
      const sender = (request: ShareRequestOf, open: OpenKit) => ({
        ...ctx,
        isChecked,
        downloads: readings(ctx, open, kind, visitOf(request), [open.kitId]),
      })
      scope.route<OfToken>({
        method: ['GET', 'HEAD'],
        url: `${prefix}/kit.zip`,
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          const open = await openFiles(request)
          if (open.share.paths !== null) throw notShared()
          return sendZip(request, reply, open.kit, sender(request, open))
        },
      })
      scope.route<OfFile>({
        method: ['GET', 'HEAD'],
        url: `${prefix}/files/*`,
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          const open = await openFiles(request)
          const path = sharedPath(open, request.params['*'])
          return sendKitFile(request, reply, { kit: open.kit, path }, sender(request, open))
        },
      })
    }

    for (const prefix of ['', '/kits/:kit_id'])
      scope.get<OfFile>(`${prefix}/proofs/*`, async (request, reply) => {
        const open = await openFiles(request)
        return sendProof(ctx, reply, open, sharedPath(open, request.params['*']))
      })
  })
  return { describe }
}

/** From the first answer to the page. Requests with the same one from the same network belong together. */
const visitOf = (request: ShareRequestOf): string | undefined => readSecret(cookieOf(request, VISIT_COOKIE))

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
  const isShared = sharedPaths(share)?.includes(path) ?? kit.entries.some((entry) => entry.path === path)
  if (!isShared) throw notShared()
  return path
}

const notShared = (): Refusal =>
  new Refusal('shared_file_not_found', 'This share has no file with this path.')

/** The Merkle proof of one file. Not a download: it holds no evidence. */
async function sendProof(
  { objects }: ShareContext,
  reply: FastifyReply,
  { kit }: OpenKit,
  path: string,
): Promise<FastifyReply> {
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
