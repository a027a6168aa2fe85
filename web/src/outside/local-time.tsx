import { instantText } from '../readable.ts'

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' })

/** In the reader's time zone, followed by UTC. */
export function LocalTime({ at }: { readonly at: string }) {
  return (
    <time dateTime={at}>
      {FORMAT.format(new Date(at))} <span className="quiet nowrap">({instantText(at)})</span>
    </time>
  )
}
