import { setTimeout as pause } from 'node:timers/promises'
import { ObjectsUnavailable, type ObjectStore } from './object-store.ts'

const RETRY_MS = 500

/** Waits for a remote store that is still starting. */
export async function waitForObjects(objects: ObjectStore, timeoutMs: number): Promise<void> {
  if (!objects.isRemote) return
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      await objects.check()
      return
    } catch (error) {
      if (!(error instanceof ObjectsUnavailable) || performance.now() >= deadline) throw error
      await pause(RETRY_MS)
    }
  }
}
