import { pathProblem } from '@kitseal/kit/internal'
import { DATA_FOLDER, nameKey } from '../file-names.ts'

/** One thing that a request or a program asks for. */
export interface RequestedItem {
  readonly id: string
  readonly title: string
  readonly description?: string | undefined
  /** RFC 3339. */
  readonly due_at?: string | undefined
  /** Of a program: days after the start of the period. */
  readonly due_days?: number | undefined
  /** Of a program: the name or the email address of who supplies it. */
  readonly owner?: string | undefined
  readonly source?: 'internal' | 'request' | undefined
  /** Email addresses of the supplier. */
  readonly recipients?: readonly string[] | undefined
}

export const MAX_ITEM_ID = 64

/** Why an ID cannot be used. It is the folder of the item's files in a kit, so it must be a name that every system can store. */
export function itemIdProblem(id: string): string | undefined {
  if (id === '') return 'is empty'
  if (id.length > MAX_ITEM_ID) return `is longer than ${MAX_ITEM_ID} characters`
  if (/[/\\<>:"|?*]/.test(id)) return 'must not contain / \\ < > : " | ? *'
  if (/^[. ]|[. ]$/.test(id)) return 'must not begin or end with a dot or a space'
  if (id !== id.normalize('NFC')) return 'must be in Unicode normalization form C'
  return pathProblem(`${DATA_FOLDER}${id}/a`)
}

/** The index of each item whose ID an earlier item has, on systems that ignore case too. */
export function repeatedIds(ids: readonly string[]): readonly number[] {
  const seen = new Set<string>()
  return ids.flatMap((id, index) => {
    const key = nameKey(id)
    if (seen.has(key)) return [index]
    seen.add(key)
    return []
  })
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** The time that a due date means: a date alone is its end, in UTC. Undefined if it is neither a date nor a date-time. */
export function parseDue(text: string): string | undefined {
  if (!DATE.test(text) && !DATE_TIME.test(text)) return undefined
  const time = Date.parse(DATE.test(text) ? `${text}T23:59:59Z` : text)
  if (Number.isNaN(time)) return undefined
  const iso = new Date(time).toISOString()
  // 2026-02-31 would be taken for 2026-03-03.
  return DATE.test(text) && !iso.startsWith(text) ? undefined : iso
}
