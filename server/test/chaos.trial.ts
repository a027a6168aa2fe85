import { test } from 'node:test'
import { survive } from './chaos.ts'

test(
  'three nodes on one database, killed, stopped past their lease, the database restarted, the objects taken away: what was acknowledged ends once',
  { timeout: 240_000 },
  () =>
    survive(
      {
        submissions: 40,
        clients: 5,
        nodes: 3,
        // Where objects are files there is no way to them to be cut.
        blows: ['kill', 'stop', 'restart the database', 'take the objects away'],
        betweenMs: 300,
        paceMs: 2500,
      },
      () => {},
    ),
)
