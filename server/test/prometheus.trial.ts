// Only in test:all: faults that last, with a Prometheus; alerts.test.ts replays recorded ones
import { test } from 'node:test'
import { FAULTS } from './alert-faults.ts'
import { skipWithoutPrometheus, watchAlerts } from './prometheus.ts'

if (skipWithoutPrometheus !== false) console.log(`skipped: ${skipWithoutPrometheus}`)

for (const [name, make] of Object.entries(FAULTS))
  test(
    `within two scrapes of its threshold, Prometheus raises the right alert: ${name}`,
    { skip: skipWithoutPrometheus },
    async (t) => {
      const made = await make(watchAlerts)
      if (typeof made !== 'string') return
      console.log(`skipped: ${made}: ${name} was NOT tested`)
      t.skip(made)
    },
  )
