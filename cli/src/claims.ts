import {
  ENVELOPE,
  ENVELOPE_LIMIT_BYTES,
  isJsonObject,
  type JsonValue,
  type KitFiles,
  parseReceipt,
  parseStrictJson,
  type Receipt,
} from '@kitseal/kit'

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

export async function readClaims(kit: KitFiles): Promise<Claims | undefined> {
  const receipt = parseReceipt(await readJson(kit, ENVELOPE.receipt, ENVELOPE_LIMIT_BYTES.receipt))
  if (!receipt.ok) return undefined
  return claimsOf(receipt.value, supplierOf(await readJson(kit, REPORT.path, REPORT.limitBytes)))
}

export function claimsOf(receipt: Receipt, supplier: Supplier | null = null): Claims {
  const { kit_id, job_id, issuer, scope, issued_at } = receipt
  return { kit_id, job_id, issuer, supplier, scope, issued_at }
}

function supplierOf(report: JsonValue): Supplier | null {
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
