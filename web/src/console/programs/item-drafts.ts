import type { NewProgram, Program } from '@kitseal/client'
import type { MemberList } from '@kitseal/client/console'
import type { RequestedItem } from '@kitseal/examiner'

/** An item as it is edited. */
export interface ItemDraft {
  readonly item_id: string
  readonly title: string
  readonly description: string
  /** An email address, or empty. */
  readonly owner: string
  readonly source: 'internal' | 'request'
  /** Email addresses with commas. */
  readonly recipients: string
  /** A number, or empty for the default. */
  readonly due_days: string
}

/** At the end of the period, or about it. */
export const DEFAULT_DUE_DAYS: Readonly<Record<NewProgram['cadence'], number>> = {
  monthly: 30,
  quarterly: 90,
  half_yearly: 180,
  yearly: 365,
  none: 30,
}
const DAY_MS = 86_400_000

export interface Imported {
  readonly items: readonly ItemDraft[]
  /** Owners in the list who are not members. */
  readonly unknown: readonly string[]
}

/** Owners are found by address or name. A date counts from the start of the first period. */
export function importedItems(
  list: readonly RequestedItem[],
  members: MemberList['members'],
  startsOn: string,
): Imported {
  const known = new Map(
    members.flatMap(({ email, name }) => [
      ...(name === null ? [] : [[name.toLowerCase(), email] as const]),
      [email.toLowerCase(), email] as const,
    ]),
  )
  const unknown = new Set<string>()
  const items = list.map((item): ItemDraft => {
    const recipients = item.recipients ?? []
    const owner = known.get(item.owner?.toLowerCase() ?? '')
    const source = item.source ?? (recipients.length > 0 ? 'request' : 'internal')
    if (item.owner !== undefined && owner === undefined && source === 'internal') unknown.add(item.owner)
    return {
      item_id: item.id,
      title: item.title,
      description: item.description ?? '',
      owner: owner ?? '',
      source,
      recipients: recipients.join(', '),
      due_days: String(item.due_days ?? daysUntil(item.due_at, startsOn) ?? ''),
    }
  })
  return { items, unknown: [...unknown] }
}

function daysUntil(dueAt: string | undefined, startsOn: string): number | undefined {
  const days = Math.floor((Date.parse(dueAt ?? '') - Date.parse(startsOn)) / DAY_MS)
  return Number.isNaN(days) ? undefined : Math.max(0, days)
}

export const draftOf = (item: Program['items'][number]): ItemDraft => ({
  item_id: item.item_id,
  title: item.title,
  description: item.description ?? '',
  owner: item.owner ?? '',
  source: item.source,
  recipients: item.recipients.join(', '),
  due_days: String(item.due_days),
})

/** As the API takes it. */
export function itemsOf(
  drafts: readonly ItemDraft[],
  cadence: NewProgram['cadence'],
): NonNullable<NewProgram['items']> {
  return drafts.map((draft) => ({
    item_id: draft.item_id.trim(),
    title: draft.title.trim(),
    description: draft.description.trim() || null,
    source: draft.source,
    due_days: draft.due_days === '' ? DEFAULT_DUE_DAYS[cadence] : Number(draft.due_days),
    ...(draft.source === 'request'
      ? { recipients: draft.recipients.split(/[\s,;]+/).filter((address) => address !== '') }
      : { owner: draft.owner || null }),
  }))
}

export function newItem(items: readonly ItemDraft[]): ItemDraft {
  const ids = new Set(items.map(({ item_id }) => item_id))
  let number = items.length + 1
  while (ids.has(String(number))) number++
  return {
    item_id: String(number),
    title: '',
    description: '',
    owner: '',
    source: 'internal',
    recipients: '',
    due_days: '',
  }
}

/** The first day of the current month, quarter, half-year or year; today without a cadence. */
export function firstDay(cadence: NewProgram['cadence'], today: Date): string {
  const months = { monthly: 1, quarterly: 3, half_yearly: 6, yearly: 12, none: 0 }[cadence]
  const month = today.getUTCMonth()
  const first = months === 0 ? today : new Date(Date.UTC(today.getUTCFullYear(), month - (month % months), 1))
  return first.toISOString().slice(0, 10)
}
