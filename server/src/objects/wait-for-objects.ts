import { setTimeout as pause } from 'node:timers/promises'
import { ObjectsUnavailable, type ObjectStore } from './object-store.ts'

const ASK_AGAIN_MS = 500

/** Waits for a store that is elsewhere and starts at the same time as the service. */
export async function waitForObjects(objects: ObjectStore, patienceMs: number): Promise<void> {
  if (!objects.isRemote) return
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      await objects.check()
      return
    } catch (error) {
      if (!(error instanceof ObjectsUnavailable) || performance.now() >= deadline) throw error
      await pause(ASK_AGAIN_MS)
    }
  }
}
