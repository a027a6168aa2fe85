import { agoText, instantText, relativeText } from '../core/readable.ts'
import { dateLanguage } from '../core/language.ts'

const FORMATS = {
  instant: new Intl.DateTimeFormat(dateLanguage, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }),
  day: new Intl.DateTimeFormat(dateLanguage, { dateStyle: 'medium' }),
} as const

export interface TimeProps {
  readonly at: string | null
  /** Shown if it never was. */
  readonly never?: string
  /**
   * `instant`: "16 Nov 2026, 15:07 CET". `day`: "16 Nov 2026". `ago`: "3 minutes ago". `relative`: "in 3 days". Times that are more than a month
   * away are shown as a day.
   */
  readonly as?: keyof typeof FORMATS | 'ago' | 'relative'
  readonly className?: string
}

/** A time in the reader's time zone, which it names, with UTC on hover. */
export function Time({ at, never, as = 'instant', className }: TimeProps) {
  if (at === null) return never
  const text = textOf(at, as)
  const local = localText(at)
  const title = text === local ? instantText(at) : `${local} (${instantText(at)})`
  return (
    <time dateTime={at} title={title} className={className}>
      {text}
    </time>
  )
}

/** "16 Nov 2026, 15:07 CET (in 3 days)". */
export function Deadline({ at }: { readonly at: string }) {
  const relative = relativeText(at, Date.now())
  return (
    <>
      <Time at={at} /> {relative !== undefined && <span className="quiet nowrap">({relative})</span>}
    </>
  )
}

/** "16 Nov 2026, 15:07 CET" in the reader's time zone, for places that take no element. */
export const localText = (at: string): string => FORMATS.instant.format(new Date(at))

function textOf(at: string, as: NonNullable<TimeProps['as']>): string {
  if (as === 'instant' || as === 'day') return FORMATS[as].format(new Date(at))
  const now = Date.now()
  return (as === 'ago' ? agoText(at, now) : relativeText(at, now)) ?? FORMATS.day.format(new Date(at))
}
