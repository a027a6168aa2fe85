import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { isDeepStrictEqual, promisify } from 'node:util'
import {
  canonicalJson,
  ENVELOPE,
  ERROR_CODES,
  type ErrorCode,
  type ExaminedKit,
  examineKit,
  type Host,
  type JsonValue,
  parseStrictJson,
  storedKit,
  type TrustedKeySet,
  type VerificationReport,
  verifyReceipt,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { FastifyInstance } from 'fastify'
import { kitVisibility } from '../access/public-kits.ts'
import type { Caller } from '../http/caller.ts'
import { errors, ref } from '../http/schema-parts.ts'
import type { Context } from './context.ts'
import { readFile, storedFiles } from './kit-files.ts'
import type { KitRecord } from './kit-queries.ts'
import {
  blockReads,
  detectOutage,
  endsOf,
  type Fingerprints,
  fingerprintsOf,
} from '../objects/block-reads.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { isKitId } from '../runtime/identifiers.ts'
import { Semaphore } from '../runtime/semaphore.ts'

type JsonObject = { readonly [name: string]: JsonValue }

const RECEIPT_LIMIT_BYTES = 64 * 1024

/** POST /v1/verify/receipt (contract 2.5 and 4.1). */
export function registerVerifyRoutes(
  app: FastifyInstance,
  ctx: Pick<Context, 'db' | 'objects' | 'kits'> & OwnKeysContext,
): void {
  const reader = kitReader(ctx.objects)
  const host = pooledHost()
  const canSee = kitVisibility(ctx.db)

  app.post<{ Body: JsonValue }>(
    '/v1/verify/receipt',
    {
      bodyLimit: RECEIPT_LIMIT_BYTES,
      config: { rate: 'verify', access: { scope: 'none', role: 'anyone' } },
      // Any JSON object is accepted. One that is not a receipt is FAIL, not an error.
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'verifyReceipt',
        summary: 'Verify a receipt',
        description:
          'All checks run: the receipt, its signature and key, and the stored kit, whose files are hashed again. ' +
          'A JSON object that is not a receipt is FAIL with `receipt_malformed`.',
        body: ref('Receipt'),
        response: { 200: ref('VerificationResult'), ...errors(400, 401, 413, 415, 429, 503) },
      },
    },
    (request) => verifyOwn(requireObject(request.body), request.caller),
  )

  async function verifyOwn(receipt: JsonObject, caller: Caller): Promise<VerificationReport> {
    const keys = await ownKeys(ctx)
    const kit = await namedKit(receipt)
    const isShown = kit === undefined || (await canSee(kit.kitId, caller, 'kit'))
    // Results reveal what a kit contains. For a private kit, only a caller who has its receipt may see them.
    const isKnown = kit !== undefined && (isShown || isReceiptOf(kit, receipt))
    const report = await verifyReceipt(receipt, isKnown ? await reader.examine(kit) : undefined, keys, host)
    return isShown || !isKnown ? report : withoutFileNames(report)
  }

  async function namedKit(receipt: JsonObject): Promise<KitRecord | undefined> {
    const kitId = receipt['kit_id']
    return typeof kitId === 'string' && isKitId(kitId) ? await ctx.kits.find(kitId) : undefined
  }
}

function isReceiptOf(kit: KitRecord, receipt: JsonObject): boolean {
  return canonicalJson(receipt) === canonicalJson(parseStrictJson(kit.receipt))
}

function requireObject(body: JsonValue | undefined): JsonObject {
  if (body === undefined) throw new Refusal('json_malformed', 'The body is empty. Send a receipt.')
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new Refusal('body_not_an_object', 'The body is not a JSON object. Send a receipt.')
  }
  return body as JsonObject
}

const MAX_KEYS = 64

/**
 * Node's crypto, with signatures verified in the thread pool and keys of the last receipts ready: a signature, and making
 * its key, each take as long as the rest of a request.
 */
function pooledHost(): Host {
  const keys = new Map<string, KeyObject>()
  const keyOf = (publicKey: Uint8Array): KeyObject => {
    const x = Buffer.from(publicKey).toString('base64url')
    const key = keys.get(x) ?? createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    if (keys.size >= MAX_KEYS) keys.clear()
    keys.set(x, key)
    return key
  }
  const verifyInPool = promisify(verify)
  return {
    ...nodeHost,
    verifyEd25519: (publicKey, message, signature) =>
      verifyInPool(null, message, keyOf(publicKey), signature),
  }
}

/** Errors whose text names files of the kit. */
const NAME_FILES: ReadonlySet<string> = new Set<ErrorCode>([
  'kit_unreadable',
  'artifact_missing',
  'artifact_hash_mismatch',
  'artifact_size_mismatch',
  'artifact_unlisted',
  'manifest_malformed',
])

/** For a caller who has the receipt but may not see the manifest: what failed, without the names of files. */
function withoutFileNames(report: VerificationReport): VerificationReport {
  const all = report.errors.map((error, index) => {
    const code = error.split(':', 1)[0] as ErrorCode
    const message = report.error_messages[index] ?? null
    return { code, error, message, why: message ?? error.slice(code.length + 2) }
  })
  const named = all.filter(({ code }) => NAME_FILES.has(code))
  const [first] = named
  if (first === undefined) return report
  const checks = report.checks.map((check) => {
    const { why_message: message, ...rest } = check
    const why = (message?.key === 'reason.andMore' ? message.args?.['reason'] : message) ?? check.why
    const isWhy = (found: { readonly why: unknown }): boolean => isDeepStrictEqual(found.why, why)
    if (check.result !== 'fail' || all.some((found) => !named.includes(found) && isWhy(found))) return check
    return { ...rest, why: ERROR_CODES[(named.find(isWhy) ?? first).code] }
  })
  const shown = all.map(({ code, error, message }) =>
    NAME_FILES.has(code) ? ([`${code}: ${ERROR_CODES[code]}`, null] as const) : ([error, message] as const),
  )
  const distinct = new Map(shown)
  return { ...report, errors: [...distinct.keys()], error_messages: [...distinct.values()], checks }
}

/**
 * A result is cached for a second, and for a large kit four times as long as it took, so that repeated requests use the disk at
 * most a fifth of the time. A kit whose objects were modified is read at once.
 */
export const CACHE_MS = 1000
const CACHE_FACTOR = 4

const SMALL_KIT_BYTES = 16 * 1024 * 1024
const MAX_CACHED_FILES = 50_000
const FEW_OBJECTS = 64

interface CachedResult {
  readonly examined: ExaminedKit
  readonly fingerprints: Fingerprints
  readonly expiresAt: number
}

/** Concurrent requests for one kit share one read. Small and large kits have separate limits, so that large ones cannot block small ones. */
export function kitReader(objects: ObjectStore, elapsedMs: () => number = () => performance.now()) {
  const semaphores = { small: kitSemaphore(4, 256), large: kitSemaphore(1, 16) }
  const inProgress = new Map<string, Promise<ExaminedKit>>()
  const cache = new Map<string, CachedResult>()
  let finished: string[] = []
  const forgetFinished = (): void => {
    for (const kitId of finished) inProgress.delete(kitId)
    finished = []
  }

  function cachedResult(kit: KitRecord, fingerprints: Fingerprints): ExaminedKit | undefined {
    const cached = cache.get(kit.kitId)
    const isValid =
      kit.expired === undefined &&
      cached !== undefined &&
      elapsedMs() < cached.expiresAt &&
      same(cached.fingerprints, fingerprints)
    return isValid ? cached.examined : undefined
  }

  /** To compare a few files of a local disk, a request need not wait for those that read kits. */
  async function examineOnce(kit: KitRecord): Promise<ExaminedKit> {
    const isQuick = objects.isRemote !== true && kit.objects.length <= FEW_OBJECTS && cache.has(kit.kitId)
    const known = isQuick ? cachedResult(kit, await fingerprintsOf(objects, kit.objects)) : undefined
    if (known !== undefined) return known
    const semaphore = kit.contentBytes <= SMALL_KIT_BYTES ? semaphores.small : semaphores.large
    return semaphore.run(() => examineFresh(kit))
  }

  async function examineFresh(kit: KitRecord): Promise<ExaminedKit> {
    const fingerprints = await fingerprintsOf(objects, kit.objects)
    const known = cachedResult(kit, fingerprints)
    if (known !== undefined) return known
    const began = elapsedMs()
    const examined = await readKit(objects, kit, fingerprints)
    const ended = elapsedMs()
    const expiresAt = ended + Math.max(CACHE_MS, (ended - began) * CACHE_FACTOR)
    cache.delete(kit.kitId)
    cache.set(kit.kitId, { examined, fingerprints, expiresAt })
    evict(cache, ended)
    return examined
  }

  return {
    /** Throws a Refusal if too many kits are being read. */
    examine(kit: KitRecord): Promise<ExaminedKit> {
      const running = inProgress.get(kit.kitId)
      if (running !== undefined) return running
      const examining = examineOnce(kit)
      inProgress.set(kit.kitId, examining)
      // Shared until the next event loop iteration: requests that arrive in this one are concurrent.
      const finish = (): void => {
        if (finished.push(kit.kitId) === 1) setImmediate(forgetFinished)
      }
      examining.then(finish, finish)
      return examining
    },
  }
}

/** Leaves out files whose object is gone, which the checks then report as missing. */
async function readKit(objects: ObjectStore, kit: KitRecord, fingerprints: Fingerprints) {
  if (kit.expired !== undefined) return readExpired(kit, kit.expired.manifest)
  const watched = detectOutage(objects)
  // Also on a local disk: small files share objects, and opening one costs more than reading a block.
  const near = blockReads({ read: watched.read, isRemote: true }, endsOf(storedFiles(kit.entries)))
  const gone = new Set(kit.objects.filter((_, index) => fingerprints[index] === undefined))
  const present = kit.entries.filter((entry) => !('object' in entry && gone.has(entry.object)))
  const byPath = new Map(present.map((entry) => [entry.path, entry]))
  const open = (path: string): AsyncIterable<Uint8Array> => {
    const entry = byPath.get(path)
    if (entry === undefined) throw new Error(`${path} is not in the kit`)
    return readFile(near, entry)
  }
  const examined = await examineKit(storedKit(present, open, nodeHost), nodeHost)
  watched.throwIfUnavailable()
  return examined
}

/** After retention only manifest and receipt are left. The checks report the other files as missing. */
function readExpired(kit: KitRecord, manifest: string): Promise<ExaminedKit> {
  const documents = new Map([
    [ENVELOPE.manifest as string, Buffer.from(manifest)],
    [ENVELOPE.receipt as string, Buffer.from(kit.receipt)],
  ])
  const there = [...documents].map(([path, bytes]) => ({ path, sizeBytes: bytes.length }))
  async function* open(path: string): AsyncGenerator<Uint8Array> {
    yield documents.get(path) ?? new Uint8Array(0)
  }
  return examineKit(storedKit(there, open, nodeHost), nodeHost)
}

function same(a: Fingerprints, b: Fingerprints): boolean {
  return a.length === b.length && a.every((print, index) => print === b[index])
}

/** Drops expired results, then the oldest ones above the memory limit. */
function evict(cache: Map<string, CachedResult>, now: number): void {
  let files = [...cache.values()].reduce((sum, { examined }) => sum + examined.paths.size, 0)
  for (const [kitId, { examined, expiresAt }] of cache) {
    if (now < expiresAt && files <= MAX_CACHED_FILES) continue
    cache.delete(kitId)
    files -= examined.paths.size
  }
}

export interface OwnKeysContext extends Pick<Context, 'signingKeys'> {
  readonly config: Pick<Context['config'], 'issuer'>
  /** Available once the service is listening. */
  issuer(): string
}

/**
 * The service's keys, which count only for receipts that name this service. Without KITSEAL_ISSUER the issuer is the
 * address of the node, which changes, so receipts with an earlier address are accepted.
 */
export async function ownKeys({ signingKeys, config, issuer }: OwnKeysContext): Promise<TrustedKeySet> {
  const { keys, revoked_keys: revoked } = await signingKeys.publicKeys()
  return {
    keys,
    revoked,
    refused: [],
    source: 'own',
    address: issuer(),
    issuer: issuer(),
    verifiesOtherIssuers: config.issuer === undefined,
  }
}

/** Limits concurrent kit readings; responds with 503 if too many are waiting. */
export const kitSemaphore = (limit: number, maxWaiting: number): Semaphore =>
  new Semaphore(limit, { maxWaiting, queueFull })

const queueFull = (): Refusal =>
  new Refusal('overloaded', 'Too many kits are being read at once. Try again shortly.', {
    headers: { 'retry-after': '2' },
  })
