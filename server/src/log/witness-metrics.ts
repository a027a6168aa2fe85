import { vkey } from '@kitseal/kit/internal'
import type { Kysely } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { LogWitnessesTable } from '../database/log-schema.ts'
import type { Database } from '../database/schema.ts'
import type { WitnessPolicy } from './witness-policy.ts'

const METRICS: readonly (readonly [name: string, help: string, read: (row: LogWitnessesTable) => number])[] =
  [
    [
      'kitseal_witness_last_cosigned_seconds',
      'When the witness last cosigned the log; 0 if never.',
      ({ cosigned_at: at }) => (at === null ? 0 : Date.parse(at) / 1000),
    ],
    [
      'kitseal_witness_failures_total',
      'Requests that the witness did not answer with a valid cosignature.',
      ({ failures }) => failures,
    ],
    ['kitseal_witness_size', 'The size of the log that the witness cosigned last.', ({ size }) => size],
  ]

/** Every node reports the same values, from the shared database; the last ones while it is unavailable. */
export function registerWitnessMetrics(
  registry: Registry,
  db: Kysely<Database>,
  witnesses: WitnessPolicy['witnesses'],
): void {
  const names = new Map(witnesses.map(({ name, key }) => [vkey(key), name]))
  let reading: Promise<readonly LogWitnessesTable[] | undefined> | undefined
  const rows = (): Promise<readonly LogWitnessesTable[] | undefined> => {
    reading ??= db
      .selectFrom('log_witnesses')
      .selectAll()
      .execute()
      .catch(() => undefined)
      .finally(() => setImmediate(() => (reading = undefined)))
    return reading
  }
  for (const [name, help, valueOf] of METRICS) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['witness'],
      registers: [registry],
      collect: async (): Promise<void> => {
        const read = await rows()
        if (read === undefined) return
        const known = new Map(read.map((row) => [row.vkey, row]))
        for (const [key, witness] of names) {
          const row = known.get(key)
          gauge.set({ witness }, row === undefined ? 0 : valueOf(row))
        }
      },
    })
  }
}
