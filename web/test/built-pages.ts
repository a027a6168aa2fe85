import path from 'node:path'
import { buildPages } from '../../scripts/build-web.cjs'

const root = path.join(import.meta.dirname, '../..')

/** Builds the pages if needed. Concurrent calls share one build. */
export const builtPages = (): Promise<void> =>
  buildPages(root, process.execPath, (line) => console.log(line), true)
