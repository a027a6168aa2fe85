// Runs one attack in its own process, at low priority: real attackers use their own CPU.
import { setPriority } from 'node:os'
import { ATTACKS, type Target } from './attacks.ts'

const [name = '', seconds = '1', target = '{}'] = process.argv.slice(2)
setPriority(19)
const end = performance.now() + Number(seconds) * 1000
const counts: Record<string, number> = {}
await ATTACKS[name]!(
  JSON.parse(target) as Target,
  () => performance.now() >= end,
  (what) => (counts[what] = (counts[what] ?? 0) + 1),
)
console.log(JSON.stringify(counts))
process.exit(0)
