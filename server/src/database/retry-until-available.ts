import { isUnavailable } from './unavailable.ts'

const RETRY_MS = 500

/** Retries an operation while the database is unavailable, until the timeout. */
export async function retryUntilAvailable<T>(operation: () => Promise<T>, timeoutMs: number): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return await operation()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() >= deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
