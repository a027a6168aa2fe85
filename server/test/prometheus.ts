import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { underLoad, type Watch } from './alert-faults.ts'
import { readRules, RULES } from './alert-tests.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

export const skipWithoutPrometheus =
  spawnSync('prometheus', ['--version']).error !== undefined &&
  'prometheus is missing: the alerts were NOT tested with it'

const SCRAPE_MS = 1000
/** A minute of a rule is a second here. */
const MINUTE_MS = 1000
/** What a rule waits for in the metric itself, which is not faster here. */
const AGES_MS: Readonly<Record<string, number>> = { KitsealJobsOld: 60_000 }
/** For a machine that does more than this. */
const SLACK_MS = 5000

/** Scrapes a service with a real Prometheus during a fault. Each alert must fire within two scrapes of its threshold, and no other at all. */
export const watchAlerts: Watch<void> = async (service, name, alerts, begin) => {
  await using prometheus = await startPrometheus(new URL(service.service.metricsUrl ?? '').host)
  await underLoad(service, async () => {
    await until(prometheus.hasScraped)
    await pause(3 * SCRAPE_MS)
    assert.deepEqual(await firing(prometheus, name), [], 'before the fault')
    await begin()
    const begunAt = performance.now()
    for (const { alert, waitMs } of alerts.map(limitOf).toSorted((a, b) => a.waitMs - b.waitMs)) {
      await until(async () => (await firing(prometheus, name)).includes(alert))
      const tookMs = performance.now() - begunAt
      assert.ok(tookMs <= waitMs + 2 * SCRAPE_MS + SLACK_MS, `${alert} after ${tookMs} ms, not ${waitMs}`)
    }
    await pause(3 * SCRAPE_MS)
    const others = (await firing(prometheus, name)).filter((alert) => !alerts.includes(alert))
    assert.deepEqual(others, [])
  })
}

function limitOf(alert: string) {
  const rule = readRules().find((each) => each.alert === alert)
  return { alert, waitMs: Number.parseInt(rule?.for ?? '0', 10) * MINUTE_MS + (AGES_MS[alert] ?? 0) }
}

/** Without what depends on the machine: how fast it is, and its own disk. */
async function firing({ alerts }: Prometheus, fault: string): Promise<readonly string[]> {
  const ignored = /disk/.test(fault) ? /^KitsealSlow$/ : /^Kitseal(Slow|Disk.*)$/
  return [...new Set(await alerts())].filter((alert) => !ignored.test(alert)).toSorted()
}

type Prometheus = Awaited<ReturnType<typeof startPrometheus>>

async function startPrometheus(target: string) {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-prometheus-'))
  const address = `127.0.0.1:${await freePort()}`
  writeFileSync(join(folder, 'alerts.yaml'), inSeconds(readFileSync(RULES, 'utf8')))
  writeFileSync(
    join(folder, 'prometheus.yaml'),
    `global: { scrape_interval: ${SCRAPE_MS}ms, evaluation_interval: ${SCRAPE_MS}ms }
rule_files: [alerts.yaml]
scrape_configs: [{ job_name: kitseal, static_configs: [{ targets: ['${target}'] }] }]
`,
  )
  const options = ['config.file=prometheus.yaml', 'storage.tsdb.path=data', `web.listen-address=${address}`]
  const child = spawn(
    'prometheus',
    options.map((option) => `--${option}`),
    { cwd: folder, stdio: 'ignore' },
  )
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`http://${address}/api/v1/${path}`).catch(() => undefined)
    return response?.ok === true ? ((await response.json()) as { data: unknown }).data : undefined
  }
  return {
    hasScraped: async (): Promise<boolean> =>
      ((await ask('query?query=up==1')) as { result: unknown[] } | undefined)?.result.length === 1,
    /** Names of firing alerts. */
    alerts: async (): Promise<readonly string[]> => {
      const data = (await ask('alerts')) as { alerts: readonly Alert[] } | undefined
      return (data?.alerts ?? []).filter(({ state }) => state === 'firing').map((one) => one.labels.alertname)
    },
    [Symbol.asyncDispose]: async () => {
      const gone = once(child, 'exit')
      child.kill()
      await gone
      rmSync(folder, { recursive: true })
    },
  }
}

interface Alert {
  readonly state: string
  readonly labels: { readonly alertname: string }
}

/** Minutes become seconds, in `for`, ranges and offsets. */
const inSeconds = (rules: string): string =>
  rules.replaceAll(/(for: \d+|\[\d+|:\d+|offset \d+)m/g, '$1s').replaceAll(/(for: \d+|\[\d+)h/g, '$1m')
