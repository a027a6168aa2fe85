import type { NewProgram, NewRequest, Program } from '@kitseal/client'
import type { RequestedItem } from '@kitseal/examiner'

/** An item of a request or a program as it is edited. */
export interface ItemDraft {
  readonly item_id: string
  readonly title: string
  readonly description: string
  /** An email address, a name that nobody has, or empty. */
  readonly owner: string
  readonly source: 'internal' | 'request'
  /** Email addresses with commas. */
  readonly recipients: string
  /** A number, or empty for the default. */
  readonly due_days: string
  /** RFC 3339. Of a request. */
  readonly due_at: string | undefined
}

const EMPTY: ItemDraft = {
  item_id: '',
  title: '',
  description: '',
  owner: '',
  source: 'internal',
  recipients: '',
  due_days: '',
  due_at: undefined,
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

interface Person {
  readonly email: string
  readonly name: string | null
}

/** Members are found by address or name. In a program, a date counts from the start of the first period. */
export function importedItems(
  list: readonly RequestedItem[],
  members: readonly Person[] = [],
  startsOn = '',
): readonly ItemDraft[] {
  const known = new Map(
    members.flatMap(({ email, name }) => [
      ...(name === null ? [] : [[name.toLowerCase(), email] as const]),
      [email.toLowerCase(), email] as const,
    ]),
  )
  return list.map(({ id, title, description = '', owner = '', recipients = [], ...item }): ItemDraft => {
    const source = item.source ?? (recipients.length > 0 ? 'request' : 'internal')
    return {
      item_id: id,
      title,
      description,
      owner: source === 'internal' ? (known.get(owner.toLowerCase()) ?? owner) : '',
      source,
      recipients: recipients.join(', '),
      due_days: String(item.due_days ?? daysUntil(item.due_at, startsOn) ?? ''),
      due_at: item.due_at,
    }
  })
}

function daysUntil(dueAt: string | undefined, startsOn: string): number | undefined {
  const days = Math.floor((Date.parse(dueAt ?? '') - Date.parse(startsOn)) / DAY_MS)
  return Number.isNaN(days) ? undefined : Math.max(0, days)
}

/** Owners who cannot own an item yet: addresses, who can be invited, viewers, and names that nobody has. */
export function strangersIn(
  items: readonly ItemDraft[],
  members: readonly Pick<Person, 'email'>[],
  viewers: readonly Person[],
) {
  const known = new Set(members.map(({ email }) => email.toLowerCase()))
  const readers = new Set(
    viewers.flatMap(({ email, name }) => [email, name]).map((one) => one?.toLowerCase()),
  )
  const owners = items.flatMap(({ source, owner }) => (source === 'internal' && owner !== '' ? [owner] : []))
  const strangers = [...new Set(owners)].filter((owner) => !known.has(owner.toLowerCase()))
  const others = strangers.filter((owner) => !readers.has(owner.toLowerCase()))
  return {
    addresses: others.filter((owner) => owner.includes('@')),
    viewers: strangers.filter((owner) => !others.includes(owner)),
    names: others.filter((owner) => !owner.includes('@')),
  }
}

export const draftOf = (item: Program['items'][number]): ItemDraft => ({
  item_id: item.item_id,
  title: item.title,
  description: item.description ?? '',
  owner: item.owner ?? '',
  source: item.source,
  recipients: item.recipients.join(', '),
  due_days: String(item.due_days),
  due_at: undefined,
})

export const addressesIn = (text: string): readonly string[] =>
  text.split(/[\s,;]+/).filter((address) => address !== '')

/** As programs take them. */
export const programItems = (
  drafts: readonly ItemDraft[],
  cadence: NewProgram['cadence'],
): NonNullable<NewProgram['items']> =>
  drafts.map((draft) => ({
    item_id: draft.item_id.trim(),
    title: draft.title.trim(),
    description: draft.description.trim() || null,
    source: draft.source,
    due_days: draft.due_days === '' ? DEFAULT_DUE_DAYS[cadence] : Number(draft.due_days),
    ...(draft.source === 'request'
      ? { recipients: addressesIn(draft.recipients) }
      : { owner: draft.owner || null }),
  }))

/** As requests take them. */
export const requestItems = (drafts: readonly ItemDraft[]): NonNullable<NewRequest['items']> =>
  drafts.map(({ item_id, title, description, due_at }) => ({
    id: item_id.trim(),
    title: title.trim(),
    description: description.trim() || null,
    due_at: due_at ?? null,
  }))

export function newItem(items: readonly ItemDraft[]): ItemDraft {
  const ids = new Set(items.map(({ item_id }) => item_id))
  let number = items.length + 1
  while (ids.has(String(number))) number++
  return { ...EMPTY, item_id: String(number) }
}

/** The first day of the current month, quarter, half-year or year; today without a cadence. */
export function firstDay(cadence: NewProgram['cadence'], today: Date): string {
  const months = { monthly: 1, quarterly: 3, half_yearly: 6, yearly: 12, none: 0 }[cadence]
  const month = today.getUTCMonth()
  const first = months === 0 ? today : new Date(Date.UTC(today.getUTCFullYear(), month - (month % months), 1))
  return first.toISOString().slice(0, 10)
}
