import { isJsonObject, type JsonValue } from './encoding/strict-json.ts'
import { ENVELOPE, ENVELOPE_LIMIT_BYTES } from './envelope.ts'
import type { KitFiles } from './kit-files.ts'
import { jsonOrNull } from './parsing.ts'
import { parseReceipt, type Receipt } from './receipt.ts'
import { hostOf } from './same-origin.ts'
import { english, type Say } from './texts/english.ts'

/** What a kit says about itself, shown beside the verdict. Proved only if the verdict is `verified`. */
export interface Claims extends Pick<Receipt, 'kit_id' | 'job_id' | 'issuer' | 'scope' | 'issued_at'> {
  /** Whose evidence it is, as named in the kit. */
  readonly supplier: Supplier | null
  /** Who asked for the evidence, if it came through the link of a request. The issuer does not know who sent it. */
  readonly requested_by?: Supplier
  /** It came through open intake: nobody is known to have made it, and it holds no files. Show `kit.anonymous`. */
  readonly anonymous?: true
}

/** Who supplied the evidence and who asked for it, as named in the kit. */
export type Origin = Pick<Claims, 'supplier' | 'requested_by' | 'anonymous'>

export interface Supplier {
  readonly workspace_id: string
  readonly name: string
  /** Who confirmed the name, besides the workspace. A kit that does not say counts as null. */
  readonly confirmed_by?: 'operator' | null
}

/** What the name of a workspace rests on. */
export function nameBasis(
  { confirmed_by }: Pick<Supplier, 'confirmed_by'>,
  issuer: string,
  isVerified: boolean,
  t: Say = english,
): string {
  if (!isVerified) return t('names.named')
  return confirmed_by === 'operator' ? t('names.operator', { host: hostOf(issuer) }) : t('names.own')
}

const REPORT = { path: 'reports/intake_report.json', limitBytes: 16 * 1024 * 1024 }

/** What a kit says about itself; undefined if it has no valid receipt. */
export async function readClaims(kit: KitFiles): Promise<Claims | undefined> {
  const receipt = parseReceipt(await readJson(kit, ENVELOPE.receipt, ENVELOPE_LIMIT_BYTES.receipt))
  return receipt.ok ? { ...claimsOf(receipt.value), ...(await readOrigin(kit)) } : undefined
}

/** What a receipt says, without the files of its kit. */
export function claimsOf(receipt: Receipt, supplier: Supplier | null = null): Claims {
  const { kit_id, job_id, issuer, scope, issued_at } = receipt
  return { kit_id, job_id, issuer, supplier, scope, issued_at }
}

/** The supplier and the requester that the intake report names. */
export async function readOrigin(kit: KitFiles): Promise<Origin> {
  const report = await readJson(kit, REPORT.path, REPORT.limitBytes)
  if (!isJsonObject(report)) return { supplier: null }
  if (report['caller_authenticated'] === false) return { supplier: null, anonymous: true }
  const requester = workspaceIn(report['requested_by'])
  return { supplier: workspaceIn(report['supplier']), ...(requester && { requested_by: requester }) }
}

function workspaceIn(value: JsonValue | undefined): Supplier | null {
  if (value === undefined || !isJsonObject(value)) return null
  const { workspace_id, name } = value
  if (typeof workspace_id !== 'string' || typeof name !== 'string') return null
  return { workspace_id, name, confirmed_by: value['confirmed_by'] === 'operator' ? 'operator' : null }
}

/** Null for a file that is missing or is not JSON: verification reports that. */
const readJson = (kit: KitFiles, path: string, limitBytes: number): Promise<JsonValue> =>
  kit.read(path, limitBytes).then(jsonOrNull, () => null)
