import type { CustodyRecord } from '@kitseal/kit'

/** An event in words. */
export interface CustodyEvent {
  readonly seq: number
  readonly at: string
  readonly action: string
  /** What happened, in a sentence. */
  readonly what: string
  /** Who did it, as they are named today. */
  readonly by: string
  /** `name: value` of its details. */
  readonly details: string
  readonly hash: string
}

export interface CustodyInput {
  readonly record: CustodyRecord
  readonly name: string
  /** As named in the kit. */
  readonly supplier: string | null
  readonly files: number
  readonly events: readonly CustodyEvent[]
  /** Adds a draft of a certification under FRE 902(13) and (14). */
  readonly certification: boolean
}
