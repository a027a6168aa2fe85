/**
 * Serializes request starts per workspace, one per event loop iteration, so that a workspace with many connections
 * delays itself and not the others.
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
    setImmediate(() => {
      const next = this.#queues.get(workspaceId)?.shift()
      if (next === undefined) this.#queues.delete(workspaceId)
      else this.#run(workspaceId, next)
    })
    work()
  }
}
