import { createHash } from 'node:crypto'
import {
  BOUNDARY,
  ENVELOPE,
  leafBytes,
  manifestSha256,
  parseManifest,
  parseStrictJson,
  parseTlogProof,
  provesReceipt,
  type Receipt,
  receiptLeaf,
  type TlogProof,
  verifyReceipt,
} from '@kitseal/kit/internal'
import { nodeHost, oscalResults } from '@kitseal/kit/internal/node'
import { route } from '../http/route.ts'
import { OneOf } from '../http/schema-parts.ts'
import type { Signer } from '../keys/signer.ts'
import type { Context } from './context.ts'
import { readDocument, sealedProvenance } from './kit-documents.ts'
import type { KitRecord } from './kit-queries.ts'
import { KIT, type KitContext, kitNotFound, NEEDS_KEY, wholeFile } from './kit-routes.ts'
import { ownKeys, type OwnKeysContext } from './verify-receipt.ts'
import { Refusal } from '../refusals.ts'

const Exported = {
  description: 'The export.',
  headers: {
    'Kitseal-Log-Leaf': {
      description: 'For `cose`: the entry of the log that the receipt proves, as `:BASE64:`.',
      schema: { type: 'string' },
    },
    'Kitseal-Erased-At': {
      description: 'When the evidence of the kit was deleted, if it was.',
      schema: { type: 'string' },
    },
  },
  content: {
    'application/json': { schema: { type: 'object', additionalProperties: true } },
    'application/cose': { schema: { type: 'string', format: 'binary' } },
  },
} as const

const JSON_TYPE = 'application/json; charset=utf-8'

/** The formats of `GET /v1/kits/:kit_id/export/:format`. */
export const EXPORTS = {
  cose: { extension: 'cose', mediaType: 'application/cose; cose-type="cose-sign1"', make: coseExport },
  'in-toto': { extension: 'intoto.json', mediaType: JSON_TYPE, make: inTotoExport },
  oscal: { extension: 'oscal.json', mediaType: JSON_TYPE, make: oscalExport },
} as const
type Format = keyof typeof EXPORTS
const FORMATS = Object.keys(EXPORTS) as readonly Format[]

type ExportContext = Pick<Context, 'objects' | 'signingKeys' | 'transparencyLog'>

/** For callers who may read the kit. */
export const exportKit = route('exportKit', 'GET /v1/kits/:kit_id/export/:format', {
  ...KIT,
  path: { ...KIT.path, format: OneOf(FORMATS) },
  summary: 'Export a kit in the format of another tool',
  description: `\`cose\` is an RFC 9942 receipt, \`in-toto\` a signed in-toto statement, \`oscal\` OSCAL assessment results. None of them replaces the kit, and there is none while its receipt does not verify. The export of an erased kit says so. ${NEEDS_KEY}`,
  responses: { 200: Exported },
  codes: [...KIT.codes, 'kit_unverified'],
  async send(ctx: ExportContext & OwnKeysContext & KitContext, call, reply) {
    const kit = await ctx.visibleKit(call, 'kit')
    const format = FORMATS.find((each) => each === call.params.format)
    if (format === undefined)
      throw new Refusal('route_not_found', `Unknown format. Formats: ${FORMATS.join(', ')}.`)
    await rejectUnverified(ctx, kit)
    const { extension, mediaType, make } = EXPORTS[format]
    const fileName = `${kit.kitId}.${extension}`
    // First, because it limits what the public may ask for.
    await ctx.downloads.record(call.request, wholeFile(kit, fileName))
    const { bytes, leaf }: KitExport = await make(ctx, kit)
    if (leaf !== undefined) reply.header('kitseal-log-leaf', `:${Buffer.from(leaf).toString('base64')}:`)
    if (kit.expired !== undefined) reply.header('kitseal-erased-at', kit.expired.at)
    return reply
      .header('cache-control', 'private, no-store')
      .header('content-disposition', `attachment; filename="${fileName}"`)
      .type(mediaType)
      .send(Buffer.from(bytes))
  },
})

/** An export vouches for the receipt. The files are checked by whoever has the kit. */
async function rejectUnverified(ctx: OwnKeysContext, { receipt }: KitRecord): Promise<void> {
  const { errors } = await verifyReceipt(parseStrictJson(receipt), undefined, await ownKeys(ctx), nodeHost)
  const wrong = errors.find((error) => !error.startsWith('artifact_missing:'))
  if (wrong !== undefined)
    throw new Refusal('kit_unverified', `The receipt of this kit does not verify now. ${wrong}`)
}

/** A kit in the format of others. */
interface KitExport {
  readonly bytes: Uint8Array
  /** The entry of the log that the export proves, if it does not contain it. */
  readonly leaf?: Uint8Array
}

const json = (value: unknown): KitExport => ({ bytes: Buffer.from(JSON.stringify(value)) })

async function coseExport(ctx: ExportContext, kit: KitRecord): Promise<KitExport> {
  const receipt = receiptOf(kit)
  return {
    bytes: await ctx.transparencyLog.coseReceipt(await logProofOf(ctx, kit, receipt)),
    leaf: leafBytes(receiptLeaf(receipt, nodeHost.digest)),
  }
}

async function inTotoExport(ctx: ExportContext, kit: KitRecord): Promise<KitExport> {
  const receipt = receiptOf(kit)
  const { artifacts } = await manifestOf(ctx, kit, receipt)
  const { index, checkpoint } = await logProofOf(ctx, kit, receipt)
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: artifacts.map(({ path, sha256 }) => ({ name: path, digest: { sha256 } })),
    predicateType: 'urn:kitseal:kit:v1',
    predicate: {
      kit_id: receipt.kit_id,
      scope: receipt.scope,
      issuer: receipt.issuer,
      issued_at: receipt.issued_at,
      receipt_sha256: createHash('sha256').update(kit.receipt).digest('hex'),
      receipt_kid: receipt.public_key_kid,
      log: { origin: checkpoint.origin, index },
      ...(kit.expired && { erased_at: kit.expired.at }),
      boundary: BOUNDARY,
    },
  }
  const payload = Buffer.from(JSON.stringify(statement))
  return json(await dsse(payload, await ctx.signingKeys.activeSigner()))
}

async function oscalExport(ctx: ExportContext, kit: KitRecord): Promise<KitExport> {
  const receipt = receiptOf(kit)
  const manifest = await manifestOf(ctx, kit, receipt)
  const provenance = await sealedProvenance(ctx.objects, kit)
  return json(oscalResults({ receipt, manifest, provenance, erasedAt: kit.expired?.at }))
}

const receiptOf = ({ receipt }: KitRecord): Receipt => JSON.parse(receipt) as Receipt

const PAYLOAD_TYPE = 'application/vnd.in-toto+json'

/** DSSE v1. What is signed begins with its version, so that it can be no receipt, which begins with a brace. */
async function dsse(payload: Buffer, signer: Signer): Promise<unknown> {
  const head = Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `)
  const signature = Buffer.from(await signer.sign(Buffer.concat([head, payload])))
  return {
    payload: payload.toString('base64'),
    payloadType: PAYLOAD_TYPE,
    signatures: [{ keyid: signer.kid, sig: signature.toString('base64') }],
  }
}

/** The manifest that the receipt names. Nothing else is signed again. */
async function manifestOf({ objects }: Pick<ExportContext, 'objects'>, kit: KitRecord, receipt: Receipt) {
  const parsed = parseManifest(parseStrictJson(await readDocument(objects, kit, ENVELOPE.manifest)))
  if (!parsed.ok || manifestSha256(parsed.value, nodeHost.digest) !== receipt.manifest_sha256)
    throw new Error(`the manifest of kit ${kit.kitId} is not the one that its receipt names`)
  return parsed.value
}

/** The newest proof that this receipt is in the log. */
async function logProofOf(
  { transparencyLog }: Pick<ExportContext, 'transparencyLog'>,
  kit: KitRecord,
  receipt: Receipt,
): Promise<TlogProof> {
  const bytes = await transparencyLog.proofOf(kit.kitId)
  if (bytes === undefined) throw kitNotFound()
  const proof = parseTlogProof(bytes)
  if (!provesReceipt(proof, receipt, nodeHost.digest))
    throw new Error(`the receipt of kit ${kit.kitId} is not the one in the log`)
  return proof
}
