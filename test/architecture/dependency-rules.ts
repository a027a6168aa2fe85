// Rules about dependencies on other packages.
import type { Project } from './project.ts'
import type { Rule } from './rule.ts'

export const dependencyRules: readonly Rule[] = [
  {
    name: 'package-lock.json contains no registry addresses',
    why: 'everyone installs from their own registry; the hashes in the lock file pin the contents',
    violations: ({ texts }) =>
      [...(texts['package-lock.json'] ?? '').matchAll(/"resolved": "(\w+:\/\/[^"]+)"/g)].map(
        ([, address]) => `package-lock.json: ${address}`,
      ),
    sample: { 'package-lock.json': `{"resolved": "https://registry.example/left-pad.tgz"}` },
  },
  {
    name: 'docs/decisions/dependencies.md explains every dependency',
    why: 'a dependency without a reason cannot be reviewed or removed',
    violations: (project) =>
      allDependencies(project)
        .filter(([, name]) => !explains(project.texts['docs/decisions/dependencies.md'] ?? '', name))
        .map(([manifest, name]) => `${manifest}: ${name} has no row in docs/decisions/dependencies.md`),
    sample: {
      'server/package.json': `{"dependencies": {"left-pad": "1.0.0"}}`,
      'docs/decisions/dependencies.md': 'left-pad',
    },
  },
  {
    name: 'every dependency is pinned to one version',
    why: 'the version that was reviewed and measured is the one that runs',
    violations: (project) =>
      allDependencies(project)
        .filter(([, , version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        .map(([manifest, name, version]) => `${manifest}: ${name} is ${version}`),
    sample: { 'server/package.json': `{"dependencies": {"left-pad": "^1.0.0"}}` },
  },
  {
    name: 'every dependency is used in the workspace that declares it',
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

/** Packages whose command has another name. */
const BINARIES: Readonly<Record<string, string>> = { typescript: 'tsc' }

/** Whether a file in the folder, or in that of the tests of everything, mentions the package. Scope and name may be in different strings. */
function isUsed(project: Project, folder: string, name: string): boolean {
  // A types package is used if the package it describes is; @types/node always is.
  const described = name.replace(/^@types\//, '')
  if (described === 'node') return true
  const [base = '', scope = ''] = described.split('/').toReversed()
  const { scripts = {} } = JSON.parse(project.texts[`${folder}package.json`] ?? '{}')
  if (Object.values<string>(scripts).some((script) => script.split(' ').includes(base))) return true
  const quoted = new RegExp(`['"\`/]${BINARIES[base] ?? base}['"\`/]`)
  const texts = Object.entries(project.texts).flatMap(([file, text]) =>
    (file.startsWith(folder) || file.startsWith('test/')) && !/\.(json|md)$/.test(file) ? [text] : [],
  )
  return texts.some((text) => text.includes(scope)) && texts.some((text) => quoted.test(text))
}

/** A table row: | `name` | reason |. */
const explains = (text: string, name: string): boolean =>
  text
    .split('\n')
    .some((line) => line.startsWith('- ') && line.includes(`\`${name}\``) && line.length > name.length + 20)

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
