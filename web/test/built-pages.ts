import { createRequire } from 'node:module'
import path from 'node:path'

interface Build {
  buildPages(root: string, node: string, says: (line: string) => void): Promise<void>
}

const root = path.join(import.meta.dirname, '../..')
const { buildPages } = createRequire(import.meta.url)('../../scripts/build-web.cjs') as Build

/** The pages as `npm start` builds them, where they are not built or stale. Several who ask at once get one build. */
export const builtPages = (): Promise<void> => buildPages(root, process.execPath, (line) => console.log(line))
