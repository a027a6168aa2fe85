import type { SeriesList, SeriesTimeline } from '@kitseal/client'
import { SERVICE_HELP, serviceCommand } from '../service-call.ts'
import { pluralize, printable } from '../terminal.ts'

const HELP = `usage: kitseal series [NAME] [--add SUBMISSION_ID] [--url URL] [--json]

Lists the series of the workspace, or the kits of one series, newest first. Says where a kit may be missing: after a pause
that is much longer than usual in this series, and when the next one is due if they come as often as before. "kitseal submit --series NAME" seals a kit
in a series; --add puts one that exists into it.

  --add SUBMISSION_ID  add a submission that has no series to NAME. Its kit does not change

${SERVICE_HELP}

examples:
  kitseal series
  kitseal series "Access review"
  kitseal series "Access review" --add sub_4Xw0s6S1

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const NEWEST = 100

/** `kitseal series`. */
export const run = serviceCommand('series', HELP, {
  options: { add: 'one' },
  read: ({ positionals: [name, ...more], value, reject }) => {
    const added = value('add')
    reject(added !== undefined && name === undefined && 'name the series that --add adds to')
    reject(
      ...more.map((word) => `unexpected argument ${JSON.stringify(word)}. Put a name with spaces in quotes`),
    )
    return async ({ client, signal }) => {
      if (name === undefined) {
        const page = await client.listSeries({ limit: NEWEST }, { signal })
        const err = page.data.length === 0 ? ['No submission names a series yet.'] : []
        return { json: page, out: page.data.map(rowOf).map(printable), err }
      }
      if (added !== undefined) await client.updateSubmission(added, { series: name }, { signal })
      const timeline = await client.getSeries(name, { limit: NEWEST }, { signal })
      const err = timeline.data.length === 0 ? ['No kit of this series is issued yet.'] : []
      const { next_due_at: due } = timeline
      const next = due === null ? [] : [`${due.slice(0, 10)}  next kit due, if they come as often as before`]
      return { json: timeline, out: [...next, ...timeline.data.flatMap(kitRows)].map(printable), err }
    }
  },
})

const rowOf = ({ series, kits, last_at }: SeriesList['data'][number]): string =>
  [last_at.slice(0, 10), pluralize(kits, 'kit').padEnd(8), series].join('  ')

const kitRows = ({ kit_id, label, issued_at, gap_days }: SeriesTimeline['data'][number]) => [
  [issued_at.slice(0, 10), kit_id, label].join('  '),
  ...(gap_days === null ? [] : [`            no kit for ${gap_days} days: is one missing?`]),
]
