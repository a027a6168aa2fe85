import { printable } from './terminal.ts'

/** A kit usually takes less than a second. */
const PATIENCE_MS = 5000

/** While a kit does not come, asks the service once whether its log is frozen, and says so. */
export function explainWait(
  url: string,
  say: (text: string) => void,
  patienceMs: number = PATIENCE_MS,
): Disposable {
  const ended = new AbortController()
  const timer = setTimeout(() => void explain(), patienceMs).unref()

  async function explain(): Promise<void> {
    const reason = await frozenReason(url, ended.signal).catch(() => undefined)
    if (reason !== undefined && !ended.signal.aborted)
      say(
        `No kits are issued at the moment: ${printable(reason)}. The evidence is stored, and the kit will be issued when the operator has checked the log.`,
      )
  }

  return {
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      ended.abort()
    },
  }
}

/** Why no kits are issued, if the log of the service is frozen. */
export async function frozenReason(url: string, signal: AbortSignal): Promise<string | undefined> {
  const response = await fetch(`${url.replace(/\/+$/, '')}/readyz`, { signal, redirect: 'error' })
  const { message } = (await response.json()) as { readonly message?: unknown }
  return typeof message === 'string' ? /\blog \(frozen: ([^)]{1,300})\)/.exec(message)?.[1] : undefined
}
