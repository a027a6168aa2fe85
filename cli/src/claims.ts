import {
  ENVELOPE,
  ENVELOPE_LIMIT_BYTES,
  type KitFiles,
  parseReceipt,
  parseStrictJson,
  type Receipt,
} from '@kitseal/kit'

/** Receipt members shown beside the verdict. */
export type Claims = Pick<Receipt, 'kit_id' | 'scope' | 'issuer' | 'issued_at'>

export async function readClaims(kit: KitFiles): Promise<Claims | undefined> {
  try {
    const receipt = parseReceipt(
      parseStrictJson(await kit.read(ENVELOPE.receipt, ENVELOPE_LIMIT_BYTES.receipt)),
    )
    return receipt.ok ? receipt.value : undefined
  } catch {
    return undefined
  }
}
