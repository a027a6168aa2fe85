import { test } from 'node:test'
import { survive } from './chaos.ts'

test(
  'three nodes on one database, killed, stopped past their lease, the database restarted: what was acknowledged ends once',
  { timeout: 240_000 },
  () =>
    survive(
      {
        submissions: 40,
        clients: 5,
        nodes: 3,
        blows: ['kill', 'stop', 'restart the database'],
        betweenMs: 300,
        paceMs: 2500,
      },
      () => {},
    ),
)
