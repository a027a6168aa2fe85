import type { RequestedItem } from '@kitseal/evidence'
import { texts } from '../../texts/index.ts'

export type Imported =
  | { readonly ok: true; readonly items: readonly RequestedItem[] }
  | { readonly ok: false; readonly problems: readonly string[] }

const TIMEOUT_MS = 15_000

/** Reads a list in the browser. The reader is loaded on first use. */
export async function importList(file: File): Promise<Imported> {
  const { readItemList } = await import('@kitseal/evidence')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const { promise, resolve } = Promise.withResolvers<Imported>()
  const timer = setTimeout(
    () => resolve({ ok: false, problems: [texts.console.requests.form.tooSlow] }),
    TIMEOUT_MS,
  )
  try {
    return await Promise.race([readItemList({ name: file.name, bytes }), promise])
  } finally {
    clearTimeout(timer)
  }
}
