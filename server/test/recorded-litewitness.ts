/** What litewitness replied in a session, in order. */
export interface Recorded {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly vkey: string
  readonly replies: readonly {
    readonly request: string
    readonly status: number
    readonly type: string
    readonly body: string
  }[]
}

export const RECORDED = new URL('./recorded/litewitness.json', import.meta.url)
