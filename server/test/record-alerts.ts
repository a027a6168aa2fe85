// `node server/test/record-alerts.ts` makes each fault, records metrics, and writes deploy/prometheus/alerts.test.yaml.
// With a word, only faults whose names contain it are recorded again.
// KITSEAL_TEST_OBJECTS is an S3 store, as in `npm run test:s3`, for the fault that needs one.
import { readFileSync, writeFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'
import { RECORDED, recordFault } from './alert-faults.ts'
import { alertTests, TESTS } from './alert-tests.ts'

interface Tests {
  tests: { readonly name: string }[]
}

const word = process.argv[2] ?? ''
const objects = process.env['KITSEAL_TEST_OBJECTS'] ?? ''
const recorded = parse(readFileSync(TESTS, 'utf8')) as Tests
for (const [name, make] of RECORDED.filter(([fault]) => fault.includes(word))) {
  process.env['KITSEAL_TEST_OBJECTS'] = /object store/.test(name) ? objects : ''
  const made = await make(recordFault)
  if (typeof made === 'string') throw new Error(`${name}: ${made}`)
  const { tests } = parse(alertTests([made])) as Tests
  recorded.tests = [...recorded.tests.filter((test) => test.name !== name), ...tests]
  console.log(`recorded: ${name}`)
}
writeFileSync(TESTS, stringify(recorded, { lineWidth: 0 }))
process.exit(0)
