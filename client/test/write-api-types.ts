import { writeFileSync } from 'node:fs'
import { apiTypes, GENERATED, root } from './api-types.ts'

writeFileSync(new URL(GENERATED, root), apiTypes())
console.log(`wrote ${GENERATED}`)
