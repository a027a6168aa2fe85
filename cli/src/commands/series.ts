import type { SeriesList, SeriesTimeline } from '@kitseal/client'
import { SERVICE_HELP, serviceCommand } from '../service-call.ts'
import { pluralize, printable } from '../terminal.ts'

const HELP = `usage: kitseal series [NAME] [--url URL] [--json]

Lists the series of the workspace, or the kits of one series, newest first. Says where a kit may be missing: after a pause
that is much longer than usual in this series. "kitseal submit --series NAME" adds a kit to a series.

${SERVICE_HELP}

examples:
  kitseal series
  kitseal series "Access review"

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const NEWEST = 100

/** `kitseal series`. */
export const run = serviceCommand('series', HELP, {
  read: ({ positionals: [name, ...more], reject }) => {
    reject(
      ...more.map((word) => `unexpected argument ${JSON.stringify(word)}. Put a name with spaces in quotes`),
    )
    return async ({ client, signal }) => {
      if (name === undefined) {
        const { data: series } = await client.listSeries({ limit: NEWEST }, { signal })
        const err = series.length === 0 ? ['No submission names a series yet.'] : []
        return { json: series, out: series.map(rowOf).map(printable), err }
      }
      const timeline = await client.getSeries(name, { limit: NEWEST }, { signal })
      const err = timeline.data.length === 0 ? ['No kit of this series is issued yet.'] : []
      return { json: timeline, out: timeline.data.flatMap(kitRows).map(printable), err }
    }
  },
})

const rowOf = ({ series, kits, last_at }: SeriesList['data'][number]): string =>
  [last_at.slice(0, 10), pluralize(kits, 'kit').padEnd(8), series].join('  ')

const kitRows = ({ kit_id, label, issued_at, gap_days }: SeriesTimeline['data'][number]) => [
  [issued_at.slice(0, 10), kit_id, label].join('  '),
  ...(gap_days === null ? [] : [`            no kit for ${gap_days} days: is one missing?`]),
]
