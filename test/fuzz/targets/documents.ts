import assert from 'node:assert/strict'
import * as kit from '../../../kit/src/internal.ts'
import { nodeHost } from '../../../kit/node/internal.ts'
import { ISSUER_KEYS } from '../../forge/keys.ts'
import { draftKit } from '../../forge/draft-kit.ts'
import { damagedBytes } from '../byte-mutations.ts'
import { damagedJson } from '../json-mutations.ts'
import { CaseFailure, type Outcome, type Target } from '../target.ts'

/** Receipts, manifests, key sets and proofs, as text: parsers never throw, and agree with JSON.parse. */
export function documentTarget(): Target {
  const { files, manifest, receipt } = draftKit()
  const held = (): kit.KitFiles =>
    kit.storedKit(
      [...files].map(([path, bytes]) => ({ path, sizeBytes: bytes.length })),
      async function* (name) {
        yield files.get(name)!
      },
      nodeHost,
    )
  const keys = kit.parseJwks(ISSUER_KEYS)
  if (!keys.ok) throw new Error('the issuer has no keys')
  const proof = kit.proveFile(manifest, receipt, ISSUER_KEYS, manifest.artifacts[0]!.path, nodeHost)
  const originals = [manifest, receipt, ISSUER_KEYS, proof].map((value) =>
    kit.canonicalJson(value as unknown as kit.JsonValue),
  )

  async function check(bytes: Uint8Array): Promise<Outcome> {
    const value = strict(bytes)
    if (value === undefined) return 'refused'
    assert.equal(
      JSON.stringify(JSON.parse(Buffer.from(bytes).toString())),
      JSON.stringify(value),
      'JSON.parse reads another value',
    )
    const text = kit.canonicalJson(value)
    assert.equal(
      kit.canonicalJson(kit.parseStrictJson(Buffer.from(text))),
      text,
      'the canonical form is not stable',
    )
    kit.parseManifest(value)
    kit.parseJwks(value)
    kit.parseProof(value)
    const report = await kit.verifyReceipt(
      value,
      held(),
      keys.ok ? keys.value : { keys: [], refused: [] },
      nodeHost,
    )
    if (report.status === 'PASS') assert.equal(text, originals[1], 'PASS for another receipt')
    const artifact = manifest.artifacts[0]!
    const file = { sha256: artifact.sha256, sizeBytes: artifact.size_bytes }
    const proved = await kit.verifyFileProof(value, file, kit.trustKeys(ISSUER_KEYS), nodeHost)
    if (proved.status === 'PASS')
      assert.equal(withoutKeys(value), withoutKeys(proof), 'PASS for another proof')
    return report.status === 'PASS' || proved.status === 'PASS' ? 'accepted' : 'refused'
  }

  return {
    name: 'documents',
    run: async (random) => {
      const text = random.pick(originals)
      const bytes = random.oneIn(4) ? damagedBytes(Buffer.from(text), random) : damagedJson(text, random)
      try {
        return await check(bytes)
      } catch (error) {
        throw new CaseFailure(error instanceof Error ? (error.stack ?? error.message) : String(error), bytes)
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}

/** The keys in a proof are an untrusted copy. */
function withoutKeys(proof: unknown): string {
  const { jwks: _, ...rest } = proof as { readonly jwks: unknown }
  return kit.canonicalJson(rest)
}

function strict(bytes: Uint8Array): kit.JsonValue | undefined {
  try {
    return kit.parseStrictJson(bytes)
  } catch (error) {
    if (error instanceof kit.StrictJsonError) return undefined
    throw error
  }
}
