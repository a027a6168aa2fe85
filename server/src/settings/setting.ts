export interface Setting {
  readonly name: `KITSEAL_${string}`
  /** The default, as written in the environment; undefined if there is none. */
  readonly fallback: string | undefined
  /** Describes a default that is not a plain value. */
  readonly fallbackText?: string
  readonly takes: string
  readonly meaning: string
  /** Secrets have no flag, because every user of the machine can read command lines, and may be in a file. */
  readonly secret?: true
}
