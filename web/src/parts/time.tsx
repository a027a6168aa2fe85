import { agoText, instantText } from '../readable.ts'

const FORMATS = {
  instant: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }),
  day: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }),
} as const

export interface TimeProps {
  readonly at: string
  /** `instant`: "16 Nov 2026, 15:07". `day`: "16 Nov 2026". `ago`: "3 minutes ago". */
  readonly as?: keyof typeof FORMATS | 'ago'
}

/** A time in the reader's time zone, with UTC on hover. */
export function Time({ at, as = 'instant' }: TimeProps) {
  return (
    <time dateTime={at} title={instantText(at)}>
      {as === 'ago' ? agoText(at, Date.now()) : FORMATS[as].format(new Date(at))}
    </time>
  )
}
