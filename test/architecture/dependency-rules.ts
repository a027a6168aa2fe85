// What comes from outside.
import type { Project } from './project.ts'
import type { Rule } from './rule.ts'

export const dependencyRules: readonly Rule[] = [
  {
    name: 'package-lock.json names no registry',
    why: 'whoever clones the project installs from the registry they trust; the hashes in the lock file hold the contents',
    violations: ({ texts }) =>
      [...(texts['package-lock.json'] ?? '').matchAll(/"resolved": "(\w+:\/\/[^"]+)"/g)].map(
        ([, address]) => `package-lock.json: ${address}`,
      ),
    sample: { 'package-lock.json': `{"resolved": "https://registry.example/left-pad.tgz"}` },
  },
  {
    name: 'each dependency says in docs/dependencies.md why it is here',
    why: 'a dependency is a decision, and one without a reason cannot be reviewed or dropped',
    violations: (project) =>
      allDependencies(project)
        .filter(([, name]) => !explains(project.texts['docs/dependencies.md'] ?? '', name))
        .map(([manifest, name]) => `${manifest}: ${name} has no line in docs/dependencies.md`),
    sample: {
      'server/package.json': `{"dependencies": {"left-pad": "1.0.0"}}`,
      'docs/dependencies.md': 'left-pad',
    },
  },
  {
    name: 'each dependency is pinned to one version',
    why: 'what was reviewed and measured is what runs; a range lets it change on its own',
    violations: (project) =>
      allDependencies(project)
        .filter(([, , version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        .map(([manifest, name, version]) => `${manifest}: ${name} is ${version}`),
    sample: { 'server/package.json': `{"dependencies": {"left-pad": "^1.0.0"}}` },
  },
  {
    name: 'each dependency is used in the workspace that declares it',
    why: 'an unused package still has to be reviewed, installed and updated',
    violations: (project) =>
      allDependencies(project)
        .filter(([manifest, name]) => !isUsed(project, manifest.slice(0, -'package.json'.length), name))
        .map(([manifest, name]) => `${manifest}: nothing there imports or runs ${name}`),
    sample: {
      'server/package.json': `{"dependencies": {"left-pad": "1.0.0"}}`,
      'web/src/page.css': `@import 'left-pad'`,
    },
  },
]

/** Packages that are run by another name than their own. */
const BINARIES: Readonly<Record<string, string>> = { typescript: 'tsc' }

/** Whether files in the folder have the package's scope, and its name in quotes. A scope may be joined to names in code. */
function isUsed(project: Project, folder: string, name: string): boolean {
  // Types come with the package that they describe; @types/node with Node itself.
  const described = name.replace(/^@types\//, '')
  if (described === 'node') return true
  const [base = '', scope = ''] = described.split('/').toReversed()
  const quoted = new RegExp(`['"\`/]${BINARIES[base] ?? base}['"\`/]`)
  const texts = Object.entries(project.texts).flatMap(([file, text]) =>
    file.startsWith(folder) && !/\.(json|md)$/.test(file) ? [text] : [],
  )
  return texts.some((text) => text.includes(scope)) && texts.some((text) => quoted.test(text))
}

/** A table row: | `name` | why it is here |. */
const explains = (text: string, name: string): boolean =>
  text
    .split('\n')
    .some((line) => line.startsWith('|') && line.includes(`\`${name}\``) && line.length > name.length + 20)

function allDependencies(
  project: Project,
): readonly (readonly [manifest: string, name: string, version: string])[] {
  return Object.entries(project.texts)
    .filter(([file]) => /(^|\/)package\.json$/.test(file))
    .flatMap(([file, text]) => {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(text)
      return Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies })
        .filter(([name]) => !name.startsWith('@kitseal/'))
        .map(([name, version]) => [file, name, version] as const)
    })
}
