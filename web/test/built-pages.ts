import { createRequire } from 'node:module'
import path from 'node:path'

interface Build {
  buildPages(root: string, node: string, log: (line: string) => void, quick: boolean): Promise<void>
}

const root = path.join(import.meta.dirname, '../..')
const { buildPages } = createRequire(import.meta.url)('../../scripts/build-web.cjs') as Build

/** Builds the pages if needed. Concurrent calls share one build. */
export const builtPages = (): Promise<void> =>
  buildPages(root, process.execPath, (line) => console.log(line), true)
