/** The member cancelled the upload. */
export class Cancelled extends Error {}

/** A request in progress. */
export interface Sending {
  readonly sent: Promise<unknown>
  cancel(): void
}
