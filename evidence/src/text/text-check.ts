import type { Finding } from '../rules.ts'

/** Reads a text piece by piece, and says at the end what is wrong with it. It holds no more than a bounded part of it. */
export interface TextCheck {
  push(bytes: Uint8Array): void
  end(): TextReport
}

export interface TextReport {
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
}

export const NOTHING_FOUND: TextReport = { findings: [], notes: [] }
