// Importing the service takes a second of processor time, so test files of one folder share a process.
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expectedSeconds } from './expected-seconds.ts'

/** A file that changes or measures the whole process says so in a comment with its reason. */
const OWN_PROCESS = /^\/\/ Own process: \S/m
const MAX_FILES = 32

export interface Grouping {
  readonly maxFiles?: number
  /** Files that get their own process, besides those that ask for it. */
  readonly isAlone?: (file: string) => boolean
  /** The tests run on the PostgreSQL server in TEST_POSTGRES_URL, and their names say so. */
  readonly onPostgres?: boolean
}

export interface Batch extends Grouping {
  readonly files: readonly string[]
}

interface Run {
  readonly file: string
  readonly seconds: number
}

/**
 * Writes a file for each group, which runs its test files one after another. Returns the files to run, in an order that
 * starts with the longest: a long one that starts last keeps one processor busy and the others idle.
 */
export function groupTests(root: string, batches: readonly Batch[], parent: string): readonly string[] {
  const into = mkdtempSync(path.join(parent, 'run-'))
  const runs = batches.flatMap((batch, index) => runsOf(root, batch, path.join(into, String(index))))
  const longestFirst = runs.toSorted((a, b) => b.seconds - a.seconds).map(({ file }) => file)
  return inThisOrder(longestFirst, into)
}

function runsOf(root: string, batch: Batch, prefix: string): readonly Run[] {
  const { files, maxFiles = MAX_FILES, isAlone = () => false, onPostgres = false } = batch
  const alone = files.filter(
    (file) => isAlone(file) || OWN_PROCESS.test(readFileSync(path.join(root, file), 'utf8')),
  )
  const shared = files.filter((file) => !alone.includes(file))
  const rooms = Map.groupBy(shared, (file) => file.split('/')[0] ?? '')
  const groups = [...rooms].flatMap(([room, members]) =>
    balanced(members, Math.ceil(members.length / maxFiles)).map((group, index) => ({
      name: `${room}-${index + 1}`,
      members: group,
    })),
  )
  const singles = alone.map((file, index) => ({ name: `alone-${index + 1}`, members: [file] }))
  return [...groups, ...singles].map(({ name, members }) => {
    const seconds = secondsOf(members)
    if (members.length === 1 && !onPostgres) return { file: path.join(root, members[0] ?? ''), seconds }
    const file = `${prefix}-${name}.group.mjs`
    writeFileSync(file, groupSource(root, members, onPostgres))
    return { file, seconds }
  })
}

const secondsOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + expectedSeconds(file), 0)

/** Groups that take about the same time: each file, the longest first, goes into the shortest group. */
function balanced(files: readonly string[], count: number): readonly (readonly string[])[] {
  const groups = Array.from({ length: count }, (): string[] => [])
  for (const file of files.toSorted((a, b) => expectedSeconds(b) - expectedSeconds(a))) {
    const shortest = groups.toSorted((a, b) => secondsOf(a) - secondsOf(b) || a.length - b.length)[0]
    shortest?.push(file)
  }
  return groups
}

/** `node --test` runs files in the order of their names, so they get numbered links. */
function inThisOrder(files: readonly string[], into: string): readonly string[] {
  return files.map((file, index) => {
    const link = path.join(into, `${String(index).padStart(4, '0')}-${path.basename(file)}`)
    symlinkSync(file, link)
    return link
  })
}

/** Each file gets a suite, so that its hooks run before and after its own tests. */
function groupSource(root: string, files: readonly string[], onPostgres: boolean): string {
  const modules = files.map((file) => [
    onPostgres ? `PostgreSQL ${file}` : file,
    pathToFileURL(path.join(root, file)).href,
  ])
  return `import { describe } from 'node:test'
${onPostgres ? 'process.env.KITSEAL_TEST_DATABASE = process.env.TEST_POSTGRES_URL\n' : ''}for (const [name, url] of ${JSON.stringify(modules)}) {
  describe(name, async () => {
    await import(url)
  })
}
`
}
