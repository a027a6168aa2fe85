import { isJsonObject, type JsonValue, parseStrictJson } from './encoding/strict-json.ts'
import { ENVELOPE, ENVELOPE_LIMIT_BYTES } from './envelope.ts'
import type { KitFiles } from './files.ts'
import { parseReceipt, type Receipt } from './receipt.ts'

/** What a kit says about itself, shown beside the verdict. Proved only if the verdict is `verified`. */
export interface Claims extends Pick<Receipt, 'kit_id' | 'job_id' | 'issuer' | 'scope' | 'issued_at'> {
  /** Whose evidence it is, as named by the issuer. */
  readonly supplier: Supplier | null
}

export interface Supplier {
  readonly workspace_id: string
  readonly name: string
}

const REPORT = { path: 'reports/intake_report.json', limitBytes: 16 * 1024 * 1024 }

/**
 * What a kit says about itself; undefined if it has no valid receipt.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readClaims } from '@kitseal/kit'
 * import { openKit } from '@kitseal/kit/node'
 *
 * using kit = await openKit('kit.zip')
 * assert.equal((await readClaims(kit))?.issuer, 'https://issuer.example')
 * ```
 */
export async function readClaims(kit: KitFiles): Promise<Claims | undefined> {
  const receipt = parseReceipt(await readJson(kit, ENVELOPE.receipt, ENVELOPE_LIMIT_BYTES.receipt))
  return receipt.ok ? claimsOf(receipt.value, await readSupplier(kit)) : undefined
}

/**
 * What a receipt says, without the files of its kit.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { claimsOf } from '@kitseal/kit'
 * import { readPrivateKey, sealFolder } from '@kitseal/kit/node'
 *
 * const options = { signer: readPrivateKey('issuer.key'), issuer: 'https://issuer.example', out: 'claims.zip' }
 * const { receipt } = await sealFolder('evidence', options)
 * assert.equal(claimsOf(receipt).supplier, null)
 * ```
 */
export function claimsOf(receipt: Receipt, supplier: Supplier | null = null): Claims {
  const { kit_id, job_id, issuer, scope, issued_at } = receipt
  return { kit_id, job_id, issuer, supplier, scope, issued_at }
}

/** The supplier that the issuer names in its report. */
export async function readSupplier(kit: KitFiles): Promise<Supplier | null> {
  const report = await readJson(kit, REPORT.path, REPORT.limitBytes)
  const supplier = isJsonObject(report) ? (report['supplier'] ?? null) : null
  if (!isJsonObject(supplier)) return null
  const { workspace_id, name } = supplier
  return typeof workspace_id === 'string' && typeof name === 'string' ? { workspace_id, name } : null
}

/** Null for a file that is missing or is not JSON: verification reports that. */
async function readJson(kit: KitFiles, path: string, limitBytes: number): Promise<JsonValue> {
  try {
    return parseStrictJson(await kit.read(path, limitBytes))
  } catch {
    return null
  }
}
