import type { Period, ProgramBoard, ProgramList } from '@kitseal/client'
import { pluralize } from './terminal.ts'

/** A program in a list. */
export function rowOf({
  program_id,
  name,
  cadence,
  period,
  next_due_at,
  late,
  ended_at,
}: ProgramList['data'][number]): string {
  const { progress } = period ?? {}
  const done = progress === undefined ? 0 : progress.items - progress.missing
  const parts = [
    program_id,
    ended_at === null ? cadence : 'ended',
    period === null ? 'no period yet' : `${period.period} ${period.status}`,
    progress === undefined ? '' : `${done}/${progress.items} items`,
    next_due_at === null ? '' : `due ${next_due_at.slice(0, 10)}`,
    late === 0 ? '' : `${late} late`,
    name,
  ]
  return parts.filter((part) => part !== '').join('  ')
}

/** The first line of a program. */
export const headLine = ({ program_id, name, cadence, next_period_on }: ProgramBoard['program']): string =>
  `${name}  ${program_id}  ${cadence}${next_period_on === null ? '' : `, next period on ${next_period_on}`}`

/** Late items and the next due first, and then what is done. */
export function periodLines(period: Period): readonly string[] {
  const { status, progress, from, to, kit_id } = period
  const items = period.items.toSorted(
    (a, b) => Number(done(a)) - Number(done(b)) || (a.due_at < b.due_at ? -1 : a.due_at > b.due_at ? 1 : 0),
  )
  return [
    `${period.period}  ${status}  ${from}${to === null ? '' : ` to ${to}`}  ${progress.accepted} of ${pluralize(progress.items, 'item')} accepted, ${progress.missing} missing`,
    ...items.flatMap(itemLines),
    ...(period.failed_submission_id === null
      ? []
      : [`  The files failed their checks. To see why: kitseal status ${period.failed_submission_id}`]),
    ...(kit_id === null ? [] : [`  kit  ${kit_id}. Download it with: kitseal get ${kit_id}`]),
  ]
}

function itemLines(item: Period['items'][number]): readonly string[] {
  const { item_id, title, status, due_at, is_late, owner, recipients, files, comments } = item
  const who = owner ?? (recipients.join(' ') || 'nobody')
  const due = `${is_late ? 'LATE' : 'due'} ${due_at.slice(0, 10)}`
  const below = [
    files.map(({ name, size_bytes, same_as }) => {
      const same =
        same_as === null
          ? ''
          : same_as.name === name
            ? `, as in ${same_as.period}`
            : `, ${same_as.name} in ${same_as.period}`
      return `${name} (${size_bytes} bytes${same})`
    }),
    item.not_applicable === null ? [] : [`not applicable: ${item.not_applicable.replaceAll(/\s+/g, ' ')}`],
    comments.map(({ by, email, text }) => `${email ?? by}: ${text.replaceAll(/\s+/g, ' ')}`),
  ].flat()
  return [
    `  ${status.padEnd(14)}  ${due.padEnd(15)}  ${item_id}  ${title}  (${who})`,
    ...below.map((line) => ' '.repeat(18) + line),
  ]
}

const done = ({ status }: Period['items'][number]): boolean =>
  status === 'accepted' || status === 'not_applicable'
