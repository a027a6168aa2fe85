// `npm run sbom`: the bill of materials, on stdout.
import { bill } from './bill-of-materials.ts'

console.log(JSON.stringify(bill(), null, 2))
