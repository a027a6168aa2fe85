/** A backup, restore or move that is not begun, or not ended; the message says why, for the operator. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused'
}
