import { parseArguments } from '../arguments.ts'
import { callService, rejectApiKeyOption, SERVICE_HELP, SERVICE_OPTIONS } from '../service-call.ts'
import {
  EXIT,
  jsonText,
  pluralize,
  printable,
  showHelp,
  type Terminal,
  usageError,
  writeLines,
} from '../terminal.ts'

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
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals, flags, values, problems, wantsHelp } = parseArguments(args, SERVICE_OPTIONS)
  if (wantsHelp) return showHelp(terminal, HELP)
  const [name, ...more] = positionals
  const wrong = [
    ...problems,
    ...rejectApiKeyOption(values),
    ...more.map((word) => `unexpected argument ${JSON.stringify(word)}. Put a name with spaces in quotes`),
  ]
  if (wrong.length > 0) return usageError(terminal, 'series', wrong)
  const json = flags.has('json')
  const setup = { command: 'series', url: values.get('url')?.[0], json }
  return callService(
    terminal,
    setup,
    () => undefined,
    async ({ client, signal }) => {
      if (name === undefined) {
        const { data: series } = await client.listSeries({ limit: NEWEST }, { signal })
        if (json) writeLines(terminal.stdout, [jsonText(series)])
        else if (series.length === 0) writeLines(terminal.stderr, ['No submission names a series yet.'])
        else writeLines(terminal.stdout, series.map(rowOf).map(printable))
        return EXIT.ok
      }
      const timeline = await client.getSeries(name, { limit: NEWEST }, { signal })
      if (json) writeLines(terminal.stdout, [jsonText(timeline)])
      else if (timeline.data.length === 0)
        writeLines(terminal.stderr, ['No kit of this series is issued yet.'])
      else writeLines(terminal.stdout, timeline.data.flatMap(kitRows).map(printable))
      return EXIT.ok
    },
  )
}

interface Row {
  readonly series: string
  readonly kits: number
  readonly last_at: string
}

const rowOf = ({ series, kits, last_at }: Row): string =>
  [last_at.slice(0, 10), pluralize(kits, 'kit').padEnd(8), series].join('  ')

interface KitRow {
  readonly kit_id: string
  readonly label: string
  readonly issued_at: string
  readonly gap_days: number | null
}

const kitRows = ({ kit_id, label, issued_at, gap_days }: KitRow): readonly string[] => [
  [issued_at.slice(0, 10), kit_id, label].join('  '),
  ...(gap_days === null ? [] : [`            no kit for ${gap_days} days: is one missing?`]),
]
