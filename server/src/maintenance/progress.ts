/** How far a task is. */
export interface Progress {
  /** What is being done, as a heading: `Copying objects`. */
  readonly step: string
  readonly done: number
  /** If it is known. */
  readonly total?: number
  /** From 0 to 1, if the total is not known but can be estimated. */
  readonly share?: number
  readonly bytes?: number
}

export type OnProgress = (progress: Progress) => void

/** The share of objects up to this one, in name order: hashes are distributed evenly. */
export const shareUpTo = (sha256: string): number => Number.parseInt(sha256.slice(0, 8), 16) / 2 ** 32
