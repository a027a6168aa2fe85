// docs/decisions/0100
/** Jobs that were added on this node and have not ended, as far as it knows. */
export interface OwnWork {
  /** True if the workers of this node have enough to do, so that other nodes should hear of the job. */
  added(): boolean
  /** A job ended here. It may have been added on another node. */
  ended(): void
}

/** An idle worker takes a new job at once, so telling other nodes would cost a commit for nothing. If it does not, they find it by polling. */
export function ownWork(workers: number): OwnWork {
  let unfinished = 0
  return {
    added: () => {
      unfinished += 1
      return unfinished > workers
    },
    ended: () => {
      unfinished = Math.max(0, unfinished - 1)
    },
  }
}
