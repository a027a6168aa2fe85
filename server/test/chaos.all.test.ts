// With S3: a bucket lists, replaces and deletes in other ways than a folder.
import { test } from 'node:test'
import { survive } from './chaos.ts'

test(
  'three nodes are killed or paused past their lease, their clocks jump, the database restarts, the object store fails: every acknowledged submission ends exactly once',
  { timeout: 240_000 },
  () =>
    survive(
      {
        // With an S3 store, more can fail.
        submissions: process.env['KITSEAL_TEST_OBJECTS'] === undefined ? 16 : 40,
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
