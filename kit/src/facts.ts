import type { ExaminedKit } from './examine.ts'
import type { Host } from './host.ts'
import type { LogFacts } from './log/log-facts.ts'
import type { Parsed } from './parsing.ts'
import type { Receipt } from './receipt.ts'
import type { TimeFacts } from './time/time-facts.ts'
import type { ChosenKey } from './trust.ts'

/** The input of the checks of a kit. */
export interface KitFacts extends ReceiptFacts {
  /** Undefined when a receipt is checked without its kit. */
  readonly kit: ExaminedKit | undefined
}

/** The input of the checks of a receipt. */
export interface ReceiptFacts {
  readonly receipt: Parsed<Receipt>
  /** The kit or proof that should contain the receipt cannot be read. */
  readonly unreadable?: boolean
  readonly chosen: ChosenKey | undefined
  /** Undefined if there is neither a log proof nor a policy. */
  readonly log?: LogFacts | undefined
  /** Undefined if there is neither a time-stamp nor a policy. */
  readonly time?: TimeFacts | undefined
  readonly host: Host
}
