import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../src/main.ts'
import { type ScriptedLog, scriptedLog } from './scripted-log.ts'

export interface MonitorRun {
  readonly code: number
  /** The codes of the alerts. */
  readonly alerts: readonly string[]
  /** The files that were kept as evidence. */
  readonly evidence: readonly string[]
  readonly lines: readonly Record<string, unknown>[]
  readonly stderr: string
}

export interface MonitoredLog extends AsyncDisposable {
  readonly log: ScriptedLog
  readonly folder: string
  readonly state: string
  run(...options: readonly string[]): Promise<MonitorRun>
}

/** A scripted log, and a monitor with a state of its own. */
export async function monitoredLog(entries: Uint8Array[] = []): Promise<MonitoredLog> {
  const log = await scriptedLog()
  log.entries = entries
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-monitor-'))
  const state = join(folder, 'state.sqlite')
  return {
    log,
    folder,
    state,
    run: (...options) => runMonitor(log.issuer, '--state', state, ...options),
    [Symbol.asyncDispose]: async () => {
      await log[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}

export async function runMonitor(...options: readonly string[]): Promise<MonitorRun> {
  let [stdout, stderr] = ['', '']
  const code = await main(['monitor', ...options, '--json'], {
    env: {},
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
  })
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const alerts = lines.flatMap((line) => (line['alert'] === undefined ? [] : [String(line['alert'])]))
  const evidence = lines.flatMap((line) => (line['evidence'] ?? []) as string[])
  return { code, alerts, evidence, lines, stderr }
}
