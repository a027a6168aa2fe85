// `npm run sbom`: prints the bill of materials.
import { bill } from './bill-of-materials.ts'

console.log(JSON.stringify(bill(), null, 2))
