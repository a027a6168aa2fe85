import type { ExaminedKit } from './examine.ts'
import type { Host } from './host.ts'
import type { KeySet } from './jwks.ts'
import type { Parsed } from './parsing.ts'
import type { Receipt } from './receipt.ts'
import type { ChosenKey } from './trust.ts'

/** What the checks of a kit look at. */
export interface KitFacts extends ReceiptFacts {
  /** Undefined where a receipt is checked whose kit is not to be had. */
  readonly kit: ExaminedKit | undefined
  readonly kitKeys: Parsed<KeySet>
}

/** What the checks of a receipt look at, with or without its kit. */
export interface ReceiptFacts {
  readonly receipt: Parsed<Receipt>
  /** The receipt was to come from a kit or a proof that cannot be read. */
  readonly unreadable?: boolean
  readonly chosen: ChosenKey | undefined
  readonly host: Host
}
