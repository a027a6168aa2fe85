/** One of so many that wait starts in each iteration. */
const PART = 32

/**
 * Serializes request starts per workspace, one per event loop iteration, so that a workspace with many connections
 * delays itself and not the others. Of a long queue a part starts in each, or it would grow for as long as iterations take
 * longer than requests arrive.
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
    this.#run(workspaceId, work)
  }

  #run(workspaceId: string, work: () => void): void {
    setImmediate(() => this.#next(workspaceId))
    work()
  }

  #next(workspaceId: string): void {
    const queue = this.#queues.get(workspaceId) ?? []
    if (queue.length === 0) {
      this.#queues.delete(workspaceId)
      return
    }
    const starting = queue.splice(0, Math.ceil(queue.length / PART))
    this.#run(workspaceId, () => {
      for (const work of starting) work()
    })
  }
}
