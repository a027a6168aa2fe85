/**
 * Requests of one workspace begin one by one, with a turn of the event loop between them: whoever keeps thirty connections
 * busy waits for himself, not the others for him. Nobody waits where no other request of the workspace began just now.
 */
export class CallerTurns {
  readonly #waiting = new Map<string, (() => void)[]>()

  begin(workspaceId: string, work: () => void): void {
    const waiting = this.#waiting.get(workspaceId)
    if (waiting !== undefined) {
      waiting.push(work)
      return
    }
    const queue: (() => void)[] = []
    this.#waiting.set(workspaceId, queue)
    this.#run(workspaceId, queue, work)
  }

  #run(workspaceId: string, queue: (() => void)[], work: () => void): void {
    setImmediate(() => {
      const next = queue.shift()
      if (next === undefined) this.#waiting.delete(workspaceId)
      else this.#run(workspaceId, queue, next)
    })
    work()
  }
}
