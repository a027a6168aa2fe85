import type { DateOrder, ItemList } from '@kitseal/examiner'
import { t } from '../../core/texts.ts'

interface ReadAs {
  readonly dateOrder: DateOrder | undefined
  readonly isProgram: boolean
}

const TIMEOUT_MS = 15_000

/** Reads a list in the browser. The reader is loaded on first use. */
export async function importList(file: File, how: ReadAs): Promise<ItemList> {
  const { readItemList } = await import('@kitseal/examiner')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const { promise, resolve } = Promise.withResolvers<ItemList>()
  const timer = setTimeout(
    () => resolve({ ok: false, problems: [t('console.requests.form.tooSlow')] }),
    TIMEOUT_MS,
  )
  try {
    return await Promise.race([readItemList({ name: file.name, bytes, ...how }), promise])
  } finally {
    clearTimeout(timer)
  }
}
