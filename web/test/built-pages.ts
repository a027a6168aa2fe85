import { execFileSync } from 'node:child_process'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')

/** Builds the pages if they are older than their source. `npm test` has done so before. */
export const builtPages = async (): Promise<void> =>
  void execFileSync(process.execPath, [path.join(root, 'scripts/ready.cjs'), 'pages'], { stdio: 'inherit' })
