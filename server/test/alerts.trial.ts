// Only in test:all: faults that last; alerts.test.ts replays recorded ones
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RECORDED, recordFault } from './alert-faults.ts'
import { complaintsAbout, skipWithoutPromtool } from './alert-tests.ts'

if (skipWithoutPromtool !== false) console.log(`skipped: ${skipWithoutPromtool}`)

// `npm run test:s3` repeats only what needs S3.
const isOnS3 = process.env['KITSEAL_TEST_OBJECTS'] !== undefined
for (const [name, make] of RECORDED.filter(([fault]) => !isOnS3 || /object store/.test(fault)))
  test(
    `the right alerts fire with the metrics of a running service: ${name}`,
    { skip: skipWithoutPromtool },
    async (t) => {
      const made = await make(recordFault)
      if (typeof made === 'string') {
        console.log(`skipped: ${made}: ${name} was NOT tested`)
        return t.skip(made)
      }
      assert.equal(complaintsAbout([made]), '')
    },
  )
