import type * as Kit from '../kit/src/internal.ts'
import type { Accepted, Result, TimeStampResult, TrustNote, Vector } from './vector.ts'

/** What an implementation provides: kit code, a host, and functions to open a kit and read a vector file. */
export interface Implementation {
  readonly kit: typeof Kit
  readonly host: Kit.Host
  open(file: string): Promise<Kit.KitFiles>
  read(file: string): Promise<Uint8Array>
}

/** Runs one vector. The result must equal `vector.expected`. */
export async function runVector(vector: Vector, impl: Implementation): Promise<Vector['expected']> {
  const { kit, host } = impl
  switch (vector.kind) {
    case 'kit':
      return result(await kit.verifyKit(await impl.open(vector.file), await trust(vector.trust, impl), host))
    case 'receipt': {
      const held = vector.kit === null ? undefined : await impl.open(vector.kit)
      const receipt = kit.parseStrictJson(await impl.read(vector.file))
      const { issuer } = vector
      const keys = { ...(await keySet(vector.jwks, 'confirmed', impl)), issuer }
      return result(await kit.verifyReceipt(receipt, held, keys, host))
    }
    case 'proof': {
      const evidence = await impl.read(vector.evidence)
      const file = { sha256: kit.hex(host.digest(evidence)), sizeBytes: evidence.length }
      const proof = kit.parseStrictJson(await impl.read(vector.file))
      return result(await kit.verifyFileProof(proof, file, await trust(vector.trust, impl), host))
    }
    case 'json':
      return accepted(await impl.read(vector.file), kit, (value) => ({ canonical: kit.canonicalJson(value) }))
    case 'manifest':
      return accepted(await impl.read(vector.file), kit, (value) => {
        const parsed = kit.parseManifest(value)
        if (!parsed.ok) return undefined
        return {
          manifest_sha256: kit.manifestSha256(parsed.value, host.digest),
          root_hash: kit.manifestRootHash(parsed.value.artifacts, host.digest),
        }
      })
    case 'provenance':
      return accepted(await impl.read(vector.file), kit, (value) => {
        const parsed = kit.parseProvenance(value)
        if (!parsed.ok) return undefined
        const { entries } = parsed.value
        return {
          entries: entries.length,
          verified: entries.filter(({ statement }) => statement === 'verified').length,
        }
      })
    case 'jwks':
      return accepted(await impl.read(vector.file), kit, (value) => {
        const parsed = kit.parseJwks(value)
        return parsed.ok ? { kids: parsed.value.keys.map(({ kid }) => kid) } : undefined
      })
    case 'checkpoint':
      return logDocument(kit, await impl.read(vector.file), (bytes) => {
        const { origin, size, root } = kit.parseCheckpoint(bytes)
        return { origin, size, root: kit.hex(root) }
      })
    case 'log-proof':
      return logDocument(kit, await impl.read(vector.file), (bytes) => {
        const { index, hashes, checkpoint } = kit.parseTlogProof(bytes)
        return { index, hashes: hashes.length, size: checkpoint.size }
      })
    case 'policy':
      return logDocument(kit, await impl.read(vector.file), (bytes) => {
        const { logs, witnesses, quorum = null } = kit.parsePolicy(bytes, host.digest)
        return { logs: logs.map(({ key }) => key.name), witnesses: witnesses.map(({ name }) => name), quorum }
      })
    case 'time-stamp':
      return timeStampResult(vector, impl)
  }
}

async function timeStampResult(
  { data, roots, file }: Extract<Vector, { readonly kind: 'time-stamp' }>,
  { kit, host, read }: Implementation,
): Promise<TimeStampResult> {
  const certificates = kit.parseCertificates(await read(roots))
  let timeStamp: Kit.TimeStamp
  try {
    timeStamp = kit.parseTimeStamp(await read(file))
  } catch (error) {
    if (error instanceof kit.TimeStampFormatError) return { code: 'time_stamp_malformed' }
    throw error
  }
  const status = await kit.verifyTimeStamp(timeStamp, kit.utf8(data), certificates, host)
  if (status.is === 'unconfirmed') throw new Error('a time-stamp is not confirmed only without roots')
  if (status.is !== 'trusted') return { code: `time_stamp_${status.is}` }
  const { authority, latest } = status
  return { code: null, authority, existed_before: new Date(latest).toISOString() }
}

function result(report: Kit.VerificationReport): Result {
  const { provenance } = report
  return {
    status: report.status,
    verdict: report.verdict,
    manifest_hash_valid: report.manifest_hash_valid,
    artifact_hashes_valid: report.artifact_hashes_valid,
    receipt_canonical_hash_valid: report.receipt_canonical_hash_valid,
    ed25519_signature_valid: report.ed25519_signature_valid,
    kid_matched: report.kid_matched,
    codes: report.errors.map((error) => error.slice(0, error.indexOf(':')) as Kit.ErrorCode),
    signer: report.signer.trust,
    ...(provenance && { provenance: provenance.problem === null ? provenance.entries.length : null }),
  }
}

function accepted<T extends object>(
  bytes: Uint8Array,
  kit: typeof Kit,
  read: (value: Kit.JsonValue) => T | undefined,
): Accepted<T> {
  try {
    const value = read(kit.parseStrictJson(bytes))
    return value === undefined ? { accepted: false } : { accepted: true, ...value }
  } catch (error) {
    if (error instanceof kit.StrictJsonError) return { accepted: false }
    throw error
  }
}

function logDocument<T extends object>(
  kit: typeof Kit,
  bytes: Uint8Array,
  read: (bytes: Uint8Array) => T,
): Accepted<T> {
  try {
    return { accepted: true, ...read(bytes) }
  } catch (error) {
    if (error instanceof kit.LogFormatError) return { accepted: false }
    throw error
  }
}

async function trust(note: TrustNote, impl: Implementation): Promise<Kit.Trust> {
  return {
    keySets: await Promise.all([
      ...(note.jwks ?? []).map((file) => keySet(file, 'file', impl)),
      ...(note.confirmed_jwks ?? []).map((file) => keySet(file, 'confirmed', impl)),
    ]),
    kids: note.kids ?? [],
    pins: await Promise.all(
      (note.pins ?? []).map(async ({ kid, issuer, jwks }) => {
        const keys = jwks === undefined ? undefined : await keySet(jwks, 'file', impl)
        return { kid, issuer, key: keys === undefined ? undefined : impl.kit.findKey(keys, kid) }
      }),
    ),
    useKitKeys: note.use_kit_keys ?? false,
    issuer: note.issuer,
    logPolicy:
      note.policy === undefined
        ? undefined
        : impl.kit.parsePolicy(await impl.read(note.policy), impl.host.digest),
    timePolicy: {
      roots:
        note.tsa_roots === undefined
          ? undefined
          : impl.kit.parseCertificates(await impl.read(note.tsa_roots)),
      maxDelaySeconds: note.max_delay_seconds,
    },
  }
}

async function keySet(
  file: string,
  source: Kit.TrustedKeySet['source'],
  { kit, read }: Implementation,
): Promise<Kit.TrustedKeySet> {
  const bytes = await read(file)
  const parsed = kit.parseJwks(kit.parseStrictJson(bytes))
  if (!parsed.ok) throw new Error(`${file}: ${parsed.problems.join('; ')}`)
  return { ...parsed.value, source, bytes }
}
