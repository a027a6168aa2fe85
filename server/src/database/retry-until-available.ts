import { isUnavailable } from './unavailable.ts'

const RETRY_MS = 500

/** Retries an operation until the timeout while the database, or another dependency, is unavailable. */
export async function retryUntilAvailable<T>(
  operation: () => Promise<T>,
  timeoutMs: number,
  mayRetry: (error: unknown) => boolean = isUnavailable,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return await operation()
    } catch (error) {
      if (!mayRetry(error) || performance.now() >= deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
