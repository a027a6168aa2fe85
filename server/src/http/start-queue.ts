/** In each iteration, one of this many waiting requests starts. */
const PART = 32

/**
 * Serializes request starts per workspace, one per event loop iteration, so that a workspace with many connections
 * delays itself and not the others. A part of a long queue starts in each: otherwise it
 * grows while requests arrive faster than iterations pass.
 */
export class StartQueue {
  readonly #queues = new Map<string, (() => void)[]>()

  start(workspaceId: string, work: () => void): void {
    const queue = this.#queues.get(workspaceId)
    if (queue !== undefined) {
      queue.push(work)
      return
    }
    this.#queues.set(workspaceId, [])
    setImmediate(() => this.#next(workspaceId))
    work()
  }

  #next(workspaceId: string): void {
    const queue = this.#queues.get(workspaceId) ?? []
    if (queue.length === 0) {
      this.#queues.delete(workspaceId)
      return
    }
    setImmediate(() => this.#next(workspaceId))
    // Taken one by one: if one throws, the others start in the next iteration.
    for (let left = Math.ceil(queue.length / PART); left > 0; left--) queue.shift()?.()
  }
}
