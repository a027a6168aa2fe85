/** What a monitor reports. Each is described in the help of `kitseal monitor`. */
export type AlertCode =
  | 'fork'
  | 'rollback'
  | 'log_invalid'
  | 'leaf_invalid'
  | 'job_twice'
  | 'unknown_kid'
  | 'receipt_unlisted'
  | 'quorum_lost'
  | 'stale'
  | 'log_unreachable'

export interface Alert {
  readonly code: AlertCode
  readonly message: string
  /** The leaf that it is about. */
  readonly index?: number
  /** Files that were kept as evidence. */
  readonly evidence?: readonly string[]
}

/** Ends a run: nothing after it could be verified. */
export class LogAlert extends Error {
  override readonly name = 'LogAlert'
  readonly code: AlertCode
  /** Files that prove it, by name. */
  readonly notes: Readonly<Record<string, Uint8Array>>

  constructor(code: AlertCode, message: string, notes: Readonly<Record<string, Uint8Array>> = {}) {
    super(message)
    this.code = code
    this.notes = notes
  }
}

/** A hostile log could cause millions. */
const LIMIT_PER_CODE = 100

/** Alerts of one run, with a limit for each code. */
export class AlertList {
  readonly #alerts: Alert[] = []
  readonly #counts = new Map<AlertCode, number>()

  add(alert: Alert): void {
    const count = (this.#counts.get(alert.code) ?? 0) + 1
    this.#counts.set(alert.code, count)
    if (count <= LIMIT_PER_CODE) this.#alerts.push(alert)
  }

  all(): readonly Alert[] {
    const more = [...this.#counts].filter(([, count]) => count > LIMIT_PER_CODE)
    return [
      ...this.#alerts,
      ...more.map(([code, count]) => ({ code, message: `and ${count - LIMIT_PER_CODE} more` })),
    ]
  }
}
