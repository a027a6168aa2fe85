/** A backup, restore or move that was rejected. The message is for the operator. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused'
}
