// docs/decisions/0401
import {
  ENVELOPE,
  type JsonValue,
  type Manifest,
  parseJwks,
  parseStrictJson,
  proofBytes,
  proveFile,
  type Receipt,
} from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { kitExpired, readDocument } from '../kits/kit-documents.ts'
import { sendZip } from '../kits/kit-routes.ts'
import { sendKitFile } from '../kits/send-kit-file.ts'
import { linkScope } from '../http/link-scope.ts'
import { Refusal } from '../refusals.ts'
import type { DownloadLog } from '../audit/download-log.ts'
import { describeShare } from './describe-share.ts'
import { type OpenShare, SHARE_COOKIE, type ShareDoor, shareDoor, type ShareRequestOf } from './open-share.ts'
import { countDownload, recordView, shareExhausted } from './record-access.ts'
import { type ShareContext, sharedPaths, statusOf } from './share.ts'
import { unlockValue } from './share-password.ts'
import { Closed } from '../http/schema-parts.ts'

const UNLOCKED_MS = 12 * 60 * 60_000
const UnlockBody = Closed({ password: Type.String({ maxLength: 200 }) })

type OfToken = { Params: { readonly token: string } }
type OfFile = { Params: { readonly token: string; readonly '*': string } }

/** Everything below `/s/TOKEN` except the page. Returns what the page route needs. */
export function registerShareLinkRoutes(
  app: FastifyInstance,
  ctx: ShareContext,
): Pick<ShareDoor, 'find'> & { describe: (request: ShareRequestOf) => Promise<object> } {
  const door = shareDoor(ctx)

  const describe = async (request: ShareRequestOf): Promise<object> => {
    const open = await door.open(request)
    if (request.method === 'GET')
      await recordView(ctx, { ...open, kind: 'opened', name: null, ip: request.ip })
    return describeShare(ctx, open)
  }

  linkScope(app, '/s/:token', (scope) => {
    scope.get<OfToken>('/share.json', describe)

    scope.post<OfToken & { Body: Static<typeof UnlockBody> }>(
      '/unlock',
      { schema: { body: UnlockBody }, bodyLimit: 4096 },
      async (request, reply) => {
        const found = await door.find(request.params.token)
        await door.checkPassword(found, request.body.password, request.ip)
        const { share_id, password } = found.share
        if (password !== null) {
          const value = unlockValue(share_id, password, ctx.clock.now() + UNLOCKED_MS)
          const secure = ctx.issuer().startsWith('https:') ? '; Secure' : ''
          const place = `Path=/s/${request.params.token}; Max-Age=${UNLOCKED_MS / 1000}`
          reply.header('set-cookie', `${SHARE_COOKIE}=${value}; ${place}; HttpOnly; SameSite=Strict${secure}`)
        }
        return reply.code(204).send()
      },
    )

    for (const [prefix, log, isChecked] of [
      ['', countedDownloads, true],
      // For the page: it verifies and previews without using up the download limit.
      ['/view', recordedViews, false],
    ] as const) {
      scope.route<OfToken>({
        method: ['GET', 'HEAD'],
        url: `${prefix}/kit.zip`,
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          const open = await door.open(request)
          if (open.share.paths !== null) throw notShared()
          return sendZip(request, reply, open.kit, { ...ctx, downloads: log(ctx, open), isChecked })
        },
      })
      scope.route<OfFile>({
        method: ['GET', 'HEAD'],
        url: `${prefix}/files/*`,
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          const open = await door.open(request)
          const path = sharedPath(open, request.params['*'])
          const sender = { ...ctx, downloads: log(ctx, open), isChecked }
          return sendKitFile(request, reply, { kit: open.kit, path }, sender)
        },
      })
    }

    scope.get<OfFile>('/proofs/*', async (request, reply) => {
      const open = await door.open(request)
      return sendProof(ctx, reply, open, sharedPath(open, request.params['*']))
    })
  })
  return { find: door.find, describe }
}

const countedDownloads = (ctx: ShareContext, open: OpenShare): DownloadLog => ({
  record: ({ ip }, { name, start }) => countDownload(ctx, { ...open, kind: 'downloaded', name, ip }, start),
  stop: async () => undefined,
})

const recordedViews = (ctx: ShareContext, open: OpenShare): DownloadLog => ({
  record: async ({ ip }, { name }) => {
    if (statusOf(open.share, ctx.clock) === 'exhausted') throw shareExhausted()
    await recordView(ctx, { ...open, kind: 'viewed', name, ip })
  },
  stop: async () => undefined,
})

/** The path, if it is shared. The answer does not say whether the kit has the file. */
function sharedPath({ share, kit }: OpenShare, path: string): string {
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
  { kit }: OpenShare,
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
