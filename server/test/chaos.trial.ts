import { test } from 'node:test'
import { survive } from './chaos.ts'

test(
  'three nodes are killed or paused past their lease, their clocks jump, the database restarts, the object store fails: every acknowledged submission ends exactly once',
  { timeout: 240_000 },
  () =>
    survive(
      {
        submissions: 40,
        clients: 5,
        nodes: 3,
        // The object store can only fail if it is remote.
        faults: ['move the clock', 'kill', 'stop', 'restart the database', 'block the object store'],
        betweenMs: 300,
        paceMs: 2500,
      },
      () => {},
    ),
)
