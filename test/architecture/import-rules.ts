// What each workspace may import. Workspaces are split where the runtime or the dependencies change.
import { BUNDLED } from '../../scripts/locked-packages.ts'
import type { Import, Project, SourceFile } from './project.ts'
import { target } from './project.ts'
import type { Rule } from './rule.ts'

interface WorkspaceRule {
  readonly folder: string
  /** Workspaces that may be imported, by package name. */
  readonly workspaces: readonly string[]
  readonly nodeBuiltins: boolean
  /** Modules that the build generates. */
  readonly virtual?: readonly string[]
  /** Development packages that the build copies into the pages. Installed services do not need them. */
  readonly bundled?: readonly string[]
}

// The first row whose folder contains a file applies. Tests, builds, bench/ and scripts/ may import anything.
const WORKSPACES: readonly WorkspaceRule[] = [
  { folder: 'kit/node/', workspaces: [], nodeBuiltins: true },
  { folder: 'kit/src/', workspaces: [], nodeBuiltins: false },
  { folder: 'kit/embed/', workspaces: [], nodeBuiltins: false },
  { folder: 'client/node/', workspaces: ['@kitseal/kit'], nodeBuiltins: true },
  { folder: 'client/src/', workspaces: ['@kitseal/kit'], nodeBuiltins: false },
  { folder: 'examiner/node/', workspaces: ['@kitseal/kit'], nodeBuiltins: true },
  { folder: 'examiner/src/', workspaces: ['@kitseal/kit'], nodeBuiltins: false },
  { folder: 'binder/src/', workspaces: ['@kitseal/kit'], nodeBuiltins: true },
  {
    folder: 'server/src/',
    workspaces: ['@kitseal/kit', '@kitseal/examiner', '@kitseal/binder'],
    nodeBuiltins: true,
  },
  {
    folder: 'web/src/',
    workspaces: ['@kitseal/kit', '@kitseal/client', '@kitseal/examiner'],
    nodeBuiltins: false,
    virtual: ['virtual:theme-variables.css', 'virtual:page-texts'],
    bundled: BUNDLED,
  },
  {
    folder: 'cli/src/',
    workspaces: ['@kitseal/kit', '@kitseal/client', '@kitseal/examiner', '@kitseal/server'],
    nodeBuiltins: true,
  },
]

/** The layers of web/src, lowest first. Files beside the folders start the pages. */
const PAGE_LAYERS: readonly string[] = ['core', 'parts', 'verify', 'upload', 'outside', 'console']

const layerOf = (path: string): number => {
  const layer = PAGE_LAYERS.indexOf(path.split('/')[2] ?? '')
  return layer === -1 ? PAGE_LAYERS.length : layer
}

export const importRules: readonly Rule[] = [
  {
    name: 'kit/src uses only web standards',
    why: 'the same verifier runs in Node, in browsers and in each kit; a node: import or a package would break the last two',
    violations: (project) =>
      sourcesIn(project, 'kit/src/')
        .concat(sourcesIn(project, 'kit/embed/'))
        .filter(({ path }) => path !== PAGE_BUILD)
        .flatMap((file) =>
          file.imports
            .filter(({ specifier }) => !specifier.startsWith('.'))
            .map(({ specifier }) => `${file.path} imports ${specifier}`),
        ),
    sample: { 'kit/src/verify.ts': `import { createHash } from 'node:crypto'` },
  },
  {
    name: 'a workspace imports only the workspaces below it, by package name',
    why: 'otherwise no workspace could be published, read or replaced on its own',
    violations: (project) => project.sources.flatMap((file) => forbiddenImports(project, file)),
    sample: {
      'kit/src/seal.ts': `import { store } from '@kitseal/server'`,
      'server/src/app.ts': `import { sealKit } from '../../kit/src/seal.ts'`,
      'server/src/left.ts': `import leftPad from 'left-pad'`,
      'server/src/main.ts': `import { main } from '@kitseal/cli'`,
      'server/package.json': `{"dependencies": {"fastify": "5.0.0"}}`,
    },
  },
  {
    name: 'the command line loads the server only in the commands that run it, and only on demand',
    why: '"kitseal verify" must start as fast as Node and run where no database module is installed',
    violations: (project) =>
      sourcesIn(project, 'cli/').flatMap((file) =>
        file.imports
          .filter(({ specifier }) => specifier.startsWith('@kitseal/server'))
          .filter(({ kind }) => kind !== 'type')
          .filter(({ kind }) => kind === 'static' || !/^cli\/src\/commands\/(admin|demo)/.test(file.path))
          .map(({ specifier, kind }) => `${file.path} has a ${kind} import of ${specifier}`),
      ),
    sample: {
      'cli/src/commands/serve.ts': `import { serve } from '@kitseal/server'`,
      'cli/src/commands/verify.ts': `const { verify } = await import('@kitseal/server')`,
    },
  },
  {
    name: 'the contract suite imports entry points of packages, the composition roots and fixtures of tests',
    why: 'it has to stay as it is while the modules behind the entry points are written anew',
    violations: ({ sources }) =>
      sources
        .filter(({ path }) => /^test\/(contract|kit)\//.test(path))
        .flatMap(({ path, imports }) =>
          imports
            .filter(({ specifier }) => specifier.startsWith('.') && !isOutside(target(path, specifier)))
            .map(({ specifier }) => `${path} imports ${specifier}`),
        ),
    sample: {
      'test/contract/kits/a.test.ts': `import { sealKit } from '../../../server/src/kits/seal-kit.ts'`,
      'test/kit/b.ts': `import { verifyKit } from '../../kit/src/verify.ts'`,
    },
  },
  {
    name: 'web pages import only what runs in a browser',
    why: 'anything else could bring Node code, the database or secrets into a page',
    violations: (project) =>
      sourcesIn(project, 'web/src/').flatMap((file) =>
        file.imports
          .map(({ specifier }) => specifier)
          .filter((specifier) => /^@kitseal\/\w+(\/|$)/.test(specifier) && !FOR_BROWSERS.has(specifier))
          .map((specifier) => `${file.path} imports ${specifier}`),
      ),
    sample: {
      'web/src/page.ts': `import { startService } from '@kitseal/server'`,
      'web/src/part.tsx': `import { fileSource } from '@kitseal/kit/node'`,
    },
  },
  {
    name: 'a layer of the pages imports only those below it',
    why: 'what several pages use would otherwise need the console, and a public page would load it',
    violations: (project) =>
      sourcesIn(project, 'web/src/').flatMap((file) =>
        file.imports
          .filter(({ specifier }) => specifier.startsWith('.'))
          .map(({ specifier }) => target(file.path, specifier))
          .filter((imported) => imported.startsWith('web/src/') && layerOf(imported) > layerOf(file.path))
          .map((imported) => `${file.path} imports ${imported}`),
      ),
    sample: {
      'web/src/parts/list.tsx': `import { api } from '../console/client.ts'`,
      'web/src/core/texts.ts': `import { Notice } from '../parts/blocks.tsx'`,
    },
  },
  {
    name: 'verify.ts does not load signing code',
    why: 'a verifier without signing code cannot be used to forge, and the page in each kit stays small',
    violations: (project) =>
      loadedFrom(project, 'kit/src/verify.ts')
        .filter(({ path, code }) => path.endsWith('/seal.ts') || SIGNS.test(code))
        .map(({ path }) => `kit/src/verify.ts loads ${path}, which signs`),
    sample: {
      'kit/src/verify.ts': `import { checkSignature } from './crypto/signature.ts'`,
      'kit/src/crypto/signature.ts': `export const make = (key) => crypto.subtle.sign('Ed25519', key, bytes)`,
    },
  },
  {
    name: 'a worker loads no HTTP code, no database and no keys',
    why: 'hostile files are examined there, and what it does not have cannot be reached; it also starts sooner',
    violations: (project) =>
      loadedFrom(project, 'server/src/work/worker-thread.ts').flatMap(({ path, imports }) =>
        imports
          .filter(
            ({ specifier, kind }) =>
              kind !== 'type' && /^(fastify|typebox|kysely|better-sqlite3|pg)\b|-signer\.ts$/.test(specifier),
          )
          .map(
            ({ specifier }) => `server/src/work/worker-thread.ts loads ${path}, which imports ${specifier}`,
          ),
      ),
    sample: {
      'server/src/work/worker-thread.ts': `import { KIT_ZIP } from '../kits/kit-routes.ts'`,
      'server/src/kits/kit-routes.ts': `import { Type } from 'typebox'`,
    },
  },
]

const FOR_BROWSERS: ReadonlySet<string> = new Set([
  '@kitseal/kit',
  '@kitseal/kit/internal',
  '@kitseal/kit/in-browser',
  '@kitseal/kit/in-browser/result.css',
  '@kitseal/kit/in-browser/words',
  '@kitseal/kit/internal',
  '@kitseal/client',
  '@kitseal/client/internal',
  '@kitseal/examiner',
  '@kitseal/examiner/finding-text',
  '@kitseal/examiner/group-findings',
  '@kitseal/examiner/read-workbook',
  '@kitseal/examiner/submission-provenance',
])

/** What a contract test may name by its path. Tests shorten the constants of the service. */
const isOutside = (path: string): boolean =>
  /^(test|spec)\/|\/test\/|^cli\/src\/main\.ts$|^server\/(lean-process\.cjs|src\/settings\/limits\.ts)$|\.json$/.test(
    path,
  )

/** Builds the page and is not part of it. */
const PAGE_BUILD = 'kit/embed/build.ts'

const SIGNS = /\bsign\s*\(|\bcreateSign\b|\bcreatePrivateKey\b|\bsealKit\b/

const sourcesIn = (project: Project, folder: string): readonly SourceFile[] =>
  project.sources.filter((file) => file.path.startsWith(folder) && !file.isTest)

function forbiddenImports(project: Project, file: SourceFile): readonly string[] {
  const rule = WORKSPACES.find(({ folder }) => file.path.startsWith(folder))
  if (rule === undefined || file.isTest || file.path === PAGE_BUILD) return []
  return file.imports
    .filter((each) => !isAllowed(project, file, rule, each))
    .map(({ specifier }) => `${file.path} imports ${specifier}`)
}

function isAllowed(project: Project, file: SourceFile, rule: WorkspaceRule, { specifier }: Import): boolean {
  const workspace = file.path.split('/')[0] ?? ''
  if (specifier.startsWith('.'))
    return [`${workspace}/`, 'texts/'].some((folder) => target(file.path, specifier).startsWith(folder))
  if (specifier.startsWith('node:')) return rule.nodeBuiltins
  if (specifier.startsWith('virtual:')) return rule.virtual?.includes(specifier) === true
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  if (rule.bundled?.includes(name) === true) return true
  return name.startsWith('@kitseal/')
    ? rule.workspaces.includes(name)
    : dependencies(project, workspace).includes(name)
}

function dependencies(project: Project, workspace: string): readonly string[] {
  const manifest = JSON.parse(project.texts[`${workspace}/package.json`] ?? '{}')
  return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
}

function loadedFrom(project: Project, start: string): readonly SourceFile[] {
  const byPath = new Map(project.sources.map((file) => [file.path, file]))
  const loaded = new Set<string>()
  const visit = (file: SourceFile | undefined): void => {
    if (file === undefined || loaded.has(file.path)) return
    loaded.add(file.path)
    for (const { specifier, kind } of file.imports) {
      if (kind !== 'type' && specifier.startsWith('.')) visit(byPath.get(target(file.path, specifier)))
    }
  }
  visit(byPath.get(start))
  return [...loaded].flatMap((path) => byPath.get(path) ?? [])
}
