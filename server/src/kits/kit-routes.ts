import { createHash } from 'node:crypto'
import { BOUNDARY, ENVELOPE, type NoteSignature, parseTlogProof, type Receipt } from '@kitseal/kit/internal'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type KitPart, kitVisibility } from '../access/public-kits.ts'
import type { DownloadedFile } from '../audit/download-log.ts'
import type { Caller } from '../http/caller.ts'
import { asReturned } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { notModified, ref } from '../http/schema-parts.ts'
import type { Context } from './context.ts'
import { readDocument, sealedOrigin, kitItems, sealedProvenance } from './kit-documents.ts'
import { kindOf, summaryOf } from './kit-files.ts'
import type { KitRecord } from './kit-queries.ts'
import { KitDetail } from './kit-schemas.ts'
import { kitZip } from './kit-zip.ts'
import { isNotModified, sendKitFile, sendZip, setDigest } from './send-kit.ts'
import type { TransparencyLog } from '../log/transparency-log.ts'
import { Refusal } from '../refusals.ts'
import { timestamp } from '../runtime/clock.ts'
import { isKitId, type KitId } from '../runtime/identifiers.ts'

export const NEEDS_KEY =
  'The kit of a workspace needs its API key, unless the workspace has made its kits public. Without it, the response is 404.'

const download = (mediaType: string, schema: object, description = 'The file.') => ({
  description,
  content: { [mediaType]: { schema } },
})
const BYTES = { type: 'string', format: 'binary' }
export const AnyFile = download('application/octet-stream', BYTES)
const ZipArchive = download('application/zip', BYTES, 'kit.zip')
const LogProof = download('text/plain', { type: 'string' }, 'The proof.')

/** What every download of a file can answer. */
export const FILE_CODES = [
  'deliverable_not_found',
  'kit_expired',
  'precondition_failed',
  'range_not_satisfiable',
  'object_unavailable',
] as const

export interface KitContext extends Pick<
  Context,
  'db' | 'objects' | 'kits' | 'transparencyLog' | 'downloads'
> {
  readonly visibleKit: VisibleKit
}

const url = '/v1/kits/:kit_id'
const KIT_ID = Type.String({ description: 'From the job, once it is ISSUED.' })
/** For callers who may read this part of the kit. */
export const KIT = {
  access: { scope: 'read', role: 'viewer', isOpen: true },
  path: { kit_id: KIT_ID },
  codes: ['precondition_failed', 'kit_expired', 'object_unavailable'],
} as const

/** GET manifest, receipt and download (contract 4.1). */
export const kitRoutes = [
  route('getManifest', `GET ${url}/manifest`, {
    ...KIT,
    summary: 'Get the manifest of a kit',
    description: NEEDS_KEY,
    responses: { 200: ref('Manifest'), ...notModified },
    async send(ctx: KitContext, call, reply) {
      const { request } = call
      const kit = await ctx.visibleKit(call, 'kit')
      const bytes = await readDocument(ctx.objects, kit, ENVELOPE.manifest)
      return sendDocument(request, reply, bytes, () =>
        ctx.downloads.record(request, wholeFile(kit, ENVELOPE.manifest, bytes.length)),
      )
    },
  }),
  route('getReceipt', `GET ${url}/receipt`, {
    ...KIT,
    summary: 'Get the receipt of a kit',
    description: 'The signed receipt. Needs no API key: the kit ID is enough.',
    responses: { 200: ref('Receipt'), ...notModified },
    async send(ctx: KitContext, call, reply) {
      const kit = await ctx.visibleKit(call, 'receipt')
      // So that pages need not ask for a record that is rarely there.
      // A reader of the receipt alone cannot see it.
      if (kit.workspaceId === null) reply.header('kitseal-caller', 'anonymous')
      if (kit.expired !== undefined && kit.workspaceId !== null)
        reply.header('link', `</v1/kits/${kit.kitId}/erasure>; rel="related"`)
      return sendDocument(call.request, reply, Buffer.from(kit.receipt))
    },
  }),
  route('getLogProof', `GET ${url}/log-proof`, {
    ...KIT,
    group: 'Log',
    summary: 'Get the proof that a receipt is in the log',
    description:
      'A tlog-proof: the index of the receipt, the hashes up to the root, and a signed checkpoint. Each request returns the newest and best cosigned proof.',
    responses: { 200: LogProof },
    async send(ctx: KitContext, call, reply) {
      const { kitId } = await ctx.visibleKit(call, 'receipt')
      const proof = await ctx.transparencyLog.proofOf(kitId)
      if (proof === undefined) throw kitNotFound()
      return reply
        .header('cache-control', call.caller.is === 'workspace' ? 'no-store' : 'no-cache')
        .type('text/plain; charset=utf-8')
        .send(Buffer.from(proof))
    },
  }),
  route('getErasure', `GET ${url}/erasure`, {
    ...KIT,
    summary: 'Get the erasure record of a kit',
    description:
      'Says when and why the evidence of the kit was deleted, signed by the issuer. Its SHA-256 is a leaf of the transparency log. 404 if the evidence was not deleted.',
    responses: { 200: ref('Erasure'), ...notModified },
    codes: [...KIT.codes, 'erasure_not_found'],
    async send(ctx: KitContext, call, reply) {
      const { kitId } = await ctx.visibleKit(call, 'receipt')
      const row = await ctx.db
        .selectFrom('expired_kits')
        .select('erasure')
        .where('kit_id', '=', kitId)
        .executeTakeFirst()
      if (row?.erasure == null)
        throw new Refusal('erasure_not_found', 'The evidence of this kit was not erased.')
      return sendDocument(call.request, reply, Buffer.from(row.erasure))
    },
  }),
  route('downloadKit', `GET ${url}/download`, {
    ...KIT,
    summary: 'Download a kit',
    description: `A ZIP archive, always the same bytes. Supports ranges, \`If-Range\`, \`If-None-Match\` and HEAD. ${NEEDS_KEY}`,
    responses: { 200: ZipArchive, 206: ZipArchive, ...notModified },
    codes: FILE_CODES,
    send: async (ctx: KitContext, call, reply) =>
      sendZip(call.request, reply, await ctx.visibleKit(call, 'kit'), ctx),
  }),
  route('describeKit', `GET ${url}`, {
    ...KIT,
    summary: 'Describe a kit',
    description: `Its files by kind, its hashes, who supplied it, and its place in the log. ${NEEDS_KEY}`,
    returns: asReturned<KitDetail>(KitDetail),
    async run(ctx: KitContext, call) {
      const { caller } = call
      const kit = await ctx.visibleKit(call, 'kit')
      const isOwn = caller.is === 'workspace' && caller.workspaceId === kit.workspaceId
      // It says what the manifest says, so that it counts as one.
      if (!isOwn) await ctx.downloads.record(call.request, wholeFile(kit, ENVELOPE.manifest))
      return describeKit(ctx, kit)
    },
  }),
  route('getKitFile', `GET ${url}/files/*`, {
    ...KIT,
    path: { kit_id: KIT_ID, file_path: Type.String({ description: 'Its path in the kit.' }) },
    summary: 'Download one file of a kit',
    description: `By its path, such as \`data/review.csv\`. A slash can be sent as \`/\` or as \`%2F\`. Supports ranges, \`If-None-Match\` and HEAD. ${NEEDS_KEY}`,
    responses: { 200: AnyFile, 206: AnyFile, ...notModified },
    codes: FILE_CODES,
    async send(ctx: KitContext, call, reply) {
      const kit = await ctx.visibleKit(call, 'kit')
      return sendKitFile(call.request, reply, { kit, path: call.params['*'] }, ctx)
    },
  }),
]

export const kitNotFound = (): Refusal =>
  new Refusal('kit_not_found', 'Kit not found. Check the ID, and send the API key of its workspace.')

interface OfKit {
  readonly params: { readonly kit_id: string }
  readonly caller: Caller
}
/** Finds the kit of a request if its caller may read this part of it. */
type VisibleKit = (of: OfKit, part: KitPart) => Promise<KitRecord>

export function visibleKits(ctx: Pick<Context, 'db' | 'kits'>): VisibleKit {
  const canSee = kitVisibility(ctx.db)
  return async ({ params, caller }, part) => {
    const kitId = params.kit_id
    const isVisible = isKitId(kitId) && (await canSee(kitId, caller, part))
    const kit = isVisible ? await ctx.kits.find(kitId) : undefined
    if (kit === undefined) throw kitNotFound()
    return kit
  }
}

/** `record`: the audit log has whoever gets the document, and not who has it or asks for its headers. */
async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  record?: () => Promise<void>,
): Promise<FastifyReply> {
  const hash = createHash('sha256').update(bytes).digest()
  if (isNotModified(request, reply, { is: 'file', etag: `"${hash.toString('base64url')}"` }))
    return reply.send()
  setDigest(reply, hash.toString('hex'))
  if (request.method === 'GET') await record?.()
  return reply.type('application/json; charset=utf-8').send(bytes)
}

/** For the audit log. */
export const wholeFile = (kit: KitRecord, name: string, end = 0): DownloadedFile => ({
  workspaceId: kit.workspaceId,
  subject: kit.kitId,
  name,
  start: 0,
  end,
})

async function describeKit(ctx: Pick<Context, 'objects' | 'transparencyLog' | 'kits'>, kit: KitRecord) {
  const receipt = JSON.parse(kit.receipt) as Receipt
  return {
    kit_id: kit.kitId,
    label: receipt.scope,
    issuer: receipt.issuer,
    issued_at: kit.issuedAt,
    kid: receipt.public_key_kid,
    ...(await sealedOrigin(ctx.objects, kit)),
    manifest_sha256: receipt.manifest_sha256,
    manifest_root_hash: receipt.manifest_root_hash,
    canonical_receipt_sha256: receipt.canonical_receipt_sha256,
    size_bytes: kitZip(kit, ctx.objects).sizeBytes,
    sha256: (await ctx.kits.archiveSha256(kit)) ?? '',
    files: kit.entries.map((file) => {
      const { path, sha256, sizeBytes } = file
      return { path, sha256, size_bytes: sizeBytes, kind: kindOf(path), summary: summaryOf(file) }
    }),
    items: (await kitItems(ctx.objects, kit)) as KitDetail['items'],
    provenance: (await sealedProvenance(ctx.objects, kit)) as KitDetail['provenance'],
    log: await kitLog(ctx, kit.kitId),
    boundary: BOUNDARY,
  }
}

type KitLog = NonNullable<KitDetail['log']>
type Proofs = Pick<TransparencyLog, 'proofOf'>

/** Where the receipt of a kit is in the log, from its newest proof. Null if the log is not available. */
export async function kitLog({ transparencyLog }: { readonly transparencyLog: Proofs }, kitId: KitId) {
  const proof = await newestProof(transparencyLog, kitId)
  if (proof === undefined) return null
  const { index, checkpoint } = parseTlogProof(proof)
  const { origin, size, signatures } = checkpoint
  return { origin, index, size, cosigned: signatures.flatMap(cosigner) }
}

async function newestProof(log: Proofs, kitId: KitId): Promise<Uint8Array | undefined> {
  try {
    return await log.proofOf(kitId)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

const COSIGNATURE_BYTES = 72

/** A cosignature begins with its time, in seconds. The service verified it before it added it. */
function cosigner({ name, signature }: NoteSignature): KitLog['cosigned'] {
  if (signature.length !== COSIGNATURE_BYTES) return []
  const seconds = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0)
  return [{ name, at: timestamp(Number(seconds) * 1000) }]
}
