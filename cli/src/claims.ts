import { type KitFiles, parseReceipt, parseStrictJson, type Receipt } from '@kitseal/kit'

/** What a receipt says of itself: shown to a person beside the verdict. */
export type Claims = Pick<Receipt, 'kit_id' | 'scope' | 'issuer' | 'issued_at'>

const RECEIPT_LIMIT = 256 * 1024

export async function claimsOfKit(kit: KitFiles): Promise<Claims | undefined> {
  try {
    const receipt = parseReceipt(parseStrictJson(await kit.read('receipt.json', RECEIPT_LIMIT)))
    return receipt.ok ? receipt.value : undefined
  } catch {
    return undefined
  }
}
