import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parse, stringify } from 'yaml'

/** What was scraped once a second, from before a fault until some time into it: series → value of each scrape. */
export type Recording = ReadonlyMap<string, readonly (number | undefined)[]>

export interface RecordedFault {
  readonly name: string
  /** The alerts that fire if the fault lasts, in alphabetical order. */
  readonly alerts: readonly string[]
  readonly recording: Recording
}

const PROMETHEUS = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url))
export const RULES = join(PROMETHEUS, 'alerts.yaml')
export const TESTS = join(PROMETHEUS, 'alerts.test.yaml')

/** Of Prometheus; undefined if it is not installed. CI installs it. */
export function promtool(
  ...args: readonly string[]
): { readonly ok: boolean; readonly output: string } | undefined {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { encoding: 'utf8' })
  return error === undefined ? { ok: status === 0, output: stdout + stderr } : undefined
}

export const skipWithoutPromtool =
  promtool('--version') === undefined &&
  'promtool is missing (package prometheus): the alerts were NOT tested'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly annotations: Readonly<Record<string, string>>
}

export function readRules(): readonly Rule[] {
  const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: readonly { rules: readonly Rule[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

type Metrics = () => Promise<string>

/** Scrapes before and during a fault. `begin` returns when the fault has taken effect. */
export async function record(metrics: Metrics, begin: () => Promise<void>): Promise<Recording> {
  const scrapes = [await scrape(metrics), await nextScrape(metrics)]
  await begin()
  for (let count = 0; count < 3; count += 1) scrapes.push(await nextScrape(metrics))
  const all = new Set(scrapes.flatMap((series) => [...series.keys()]))
  return new Map([...all].toSorted().map((name) => [name, scrapes.map((series) => series.get(name))]))
}

const SECOND_MS = 1000

async function nextScrape(metrics: Metrics): Promise<ReadonlyMap<string, number>> {
  await pause(SECOND_MS)
  return scrape(metrics)
}

/** The series that a rule refers to, and `up`, which Prometheus adds. */
async function scrape(metrics: Metrics): Promise<ReadonlyMap<string, number>> {
  const labels = 'instance="node",job="kitseal"'
  const text = await metrics().catch(() => undefined)
  if (text === undefined) return new Map([[`up{${labels}}`, 0]])
  const series = new Map([[`up{${labels}}`, 1]])
  const isUsed = usedByRules()
  for (const [, name = '', own = '', value = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm))
    if (isUsed(name, own)) series.set(`${name}{${own === '' ? '' : `${own},`}${labels}}`, Number(value))
  return series
}

/** Selectors of the rules, such as `kitseal_ready{check="disk"}`. */
function usedByRules(): (name: string, labels: string) => boolean {
  const selectors = readRules()
    .flatMap(({ expr }) => Array.from(expr.matchAll(/\b(kitseal_\w+)(?:\{([^}]*)\})?/g)))
    .map(([, name, labels]) => ({ name, labels: labels?.split(/,\s*/) ?? [] }))
  return (name, labels) =>
    selectors.some((one) => one.name === name && one.labels.every((label) => labels.includes(label)))
}

/** Tests for promtool, in which each fault lasts a quarter of an hour. */
export function alertTests(faults: readonly RecordedFault[]): string {
  return stringify(
    {
      rule_files: ['alerts.yaml'],
      evaluation_interval: '1m',
      tests: faults.map(({ name, alerts, recording }) => ({
        name,
        interval: '1s',
        input_series: [...recording].map(([series, values]) => ({ series, values: lasting(series, values) })),
        promql_expr_test: [
          {
            expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
            eval_time: `${LASTS_MINUTES}m`,
            exp_samples: alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
          },
        ],
      })),
    },
    { lineWidth: 0 },
  )
}

const LASTS_MINUTES = 16
/** Counters and ages go on as they did during the fault. Everything else stays. */
const GROWS = /^\w+_(total|count|sum|bucket|oldest_seconds)\{/

function lasting(series: string, values: readonly (number | undefined)[]): string {
  const [first, , last] = values.slice(-3)
  const recorded = values.map((value) => value ?? '_').join(' ')
  if (last === undefined) return recorded
  const step = GROWS.test(series) && first !== undefined ? Math.max(0, (last - first) / 2) : 0
  return `${recorded} ${last + step}+${step}x${LASTS_MINUTES * 60}`
}

/** How long polls take depends on what else the machine does. */
const DEPENDS_ON_MACHINE = /^kitseal_http_request_duration_seconds_bucket\{/

function withoutTimes(fault: RecordedFault): RecordedFault {
  const kept = [...fault.recording].filter(([series]) => !DEPENDS_ON_MACHINE.test(series))
  return { ...fault, recording: new Map(kept) }
}

/** Runs promtool on recordings made just now. Returns what it complains about; nothing if the right alerts fire. */
export function complaintsAbout(faults: readonly RecordedFault[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-alerts-'))
  try {
    writeFileSync(join(folder, 'alerts.yaml'), readFileSync(RULES))
    writeFileSync(join(folder, 'test.yaml'), alertTests(faults.map(withoutTimes)))
    const result = promtool('test', 'rules', join(folder, 'test.yaml'))
    return result?.ok === true ? '' : (result?.output ?? 'promtool is missing')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
