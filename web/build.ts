// `node web/build.ts` builds the pages into web/dist, unless what is there is as new as its sources.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)
const dist = path.join(import.meta.dirname, 'dist')
const mark = path.join(dist, '.vite/sources.sha256')

/** Everything that a page is made of, but for packages, which the lock file stands for. */
const SOURCES = [
  'web/*.{html,ts,json}',
  'web/src/**/*',
  'web/public/**/*',
  'kit/src/**/*.ts',
  'kit/embed/*.ts',
  'server/src/evidence/**/*.ts',
  'package-lock.json',
]

/** Whether web/dist is what the sources build. By content: a fresh clone has no times to compare. */
export function isFresh(): boolean {
  return existsSync(mark) && readFileSync(mark, 'utf8') === sourcesHash()
}

/** Builds where it must. Several who want the pages at once get one build: the first makes it, the others wait. */
export async function buildPages(): Promise<void> {
  while (!isFresh()) {
    using turn = takeTurn()
    if (turn === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      continue
    }
    const { build } = await import('vite')
    const hash = sourcesHash()
    await build({ configFile: path.join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' })
    writeFileSync(mark, hash)
  }
}

function sourcesHash(): string {
  const hash = createHash('sha256')
  const files = globSync(SOURCES, { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  for (const file of files.toSorted()) {
    if (statSync(path.join(root, file)).isFile())
      hash.update(`${file}\n`).update(readFileSync(path.join(root, file)))
  }
  return hash.digest('hex')
}

const STALE_TURN_MS = 120_000

/** A folder that only one can make. One that is left behind by a build that was killed is taken over. */
function takeTurn(): Disposable | undefined {
  const folder = path.join(import.meta.dirname, '.building')
  try {
    mkdirSync(folder)
    return { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
  } catch {
    if (existsSync(folder) && Date.now() - statSync(folder).mtimeMs > STALE_TURN_MS)
      rmSync(folder, { recursive: true, force: true })
    return undefined
  }
}

if (import.meta.main) await buildPages()
