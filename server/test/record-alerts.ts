// `node server/test/record-alerts.ts` makes each fault, records metrics, and writes deploy/prometheus/alerts.test.yaml.
// KITSEAL_TEST_OBJECTS is an S3 store, as in `npm run test:s3`, for the fault that needs one.
import { writeFileSync } from 'node:fs'
import { FAULTS } from './alert-faults.ts'
import { alertTests, type RecordedFault, TESTS } from './alert-tests.ts'

const objects = process.env['KITSEAL_TEST_OBJECTS'] ?? ''
const faults: RecordedFault[] = []
for (const [name, make] of Object.entries(FAULTS)) {
  process.env['KITSEAL_TEST_OBJECTS'] = /object store/.test(name) ? objects : ''
  const made = await make()
  if (typeof made === 'string') throw new Error(`${name}: ${made}`)
  faults.push(made)
  console.log(`recorded: ${name}`)
}
writeFileSync(TESTS, alertTests(faults))
process.exit(0)
