// docs/decisions/0374
// Importing the service takes a second of processor time, so test files of one folder share a process.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** A file that changes or measures the whole process says so in a comment with its reason. */
const OWN_PROCESS = /^\/\/ Own process: \S/m
const MAX_FILES = 9

/** Writes a file for each group, which runs its test files one after another. Returns the files to run. */
export function groupTests(
  root: string,
  files: readonly string[],
  into: string,
  maxFiles = MAX_FILES,
): readonly string[] {
  const alone = files.filter((file) => OWN_PROCESS.test(readFileSync(path.join(root, file), 'utf8')))
  const shared = files.filter((file) => !alone.includes(file))
  const rooms = Map.groupBy(shared, (file) => file.split('/')[0] ?? '')
  const groups = [...rooms].flatMap(([room, members]) => {
    const count = Math.ceil(members.length / maxFiles)
    return Array.from({ length: count }, (_, index) => ({
      name: `${room}-${index + 1}`,
      members: members.filter((_member, position) => position % count === index),
    }))
  })
  return [
    ...groups.map(({ name, members: [first = '', ...others] }) => {
      if (others.length === 0) return first
      const file = path.join(into, `${name}.group.mjs`)
      writeFileSync(file, groupSource(root, [first, ...others]))
      return file
    }),
    ...alone,
  ]
}

/** Each file gets a suite, so that its hooks run before and after its own tests. */
function groupSource(root: string, files: readonly string[]): string {
  const modules = files.map((file) => [file, pathToFileURL(path.join(root, file)).href])
  return `import { describe } from 'node:test'
for (const [name, url] of ${JSON.stringify(modules)}) {
  describe(name, async () => {
    await import(url)
  })
}
`
}
