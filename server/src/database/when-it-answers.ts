import { isUnavailable } from './unavailable.ts'

const ASK_AGAIN_MS = 500

/** Asks again while the store is not available, as long as patience lasts. */
export async function whenItAnswers<T>(ask: () => Promise<T>, patienceMs: number): Promise<T> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() >= deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
    }
  }
}
