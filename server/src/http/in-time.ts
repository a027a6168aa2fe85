/** Probes and scrapes give up soon. */
const TIMEOUT_MS = 3000

/** The value, or `late` if it fails or takes longer than three seconds. */
export async function inTime<T>(value: Promise<T>, late: T): Promise<T> {
  const { promise: timeout, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(() => resolve(late), TIMEOUT_MS)
  const result = await Promise.race([value.catch(() => late), timeout])
  clearTimeout(timer)
  return result
}
