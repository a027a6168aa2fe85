// Who may import what. The rooms are split where the runtime or the dependencies change.
import type { Import, Project, SourceFile } from './project.ts'
import { target } from './project.ts'
import type { Rule } from './rule.ts'

interface Room {
  readonly folder: string
  /** Own packages that may be imported by name. */
  readonly rooms: readonly string[]
  readonly nodeBuiltins: boolean
  /** Modules of the build that stand for no file. */
  readonly virtual?: readonly string[]
}

// The first row whose folder a path starts with speaks for it. Tests, builds, bench/ and scripts/ are free.
const ROOMS: readonly Room[] = [
  { folder: 'kit/node/', rooms: [], nodeBuiltins: true },
  { folder: 'kit/src/', rooms: [], nodeBuiltins: false },
  { folder: 'kit/embed/', rooms: [], nodeBuiltins: false },
  { folder: 'client/node/', rooms: ['@kitseal/kit'], nodeBuiltins: true },
  { folder: 'client/src/', rooms: ['@kitseal/kit'], nodeBuiltins: false },
  { folder: 'evidence/node/', rooms: ['@kitseal/kit'], nodeBuiltins: true },
  { folder: 'evidence/src/', rooms: ['@kitseal/kit'], nodeBuiltins: false },
  { folder: 'binder/src/', rooms: ['@kitseal/kit'], nodeBuiltins: true },
  {
    folder: 'server/src/',
    rooms: ['@kitseal/kit', '@kitseal/evidence', '@kitseal/binder'],
    nodeBuiltins: true,
  },
  {
    folder: 'web/src/',
    rooms: ['@kitseal/kit', '@kitseal/client', '@kitseal/evidence'],
    nodeBuiltins: false,
    virtual: ['virtual:theme-variables.css'],
  },
  {
    folder: 'cli/src/',
    rooms: ['@kitseal/kit', '@kitseal/client', '@kitseal/evidence', '@kitseal/server'],
    nodeBuiltins: true,
  },
]

export const importRules: readonly Rule[] = [
  {
    name: 'kit/src stands on web standards alone',
    why: 'the same verifier runs in Node, in browsers and inside each kit; one node: import or package breaks two of the three',
    violations: (project) =>
      roomFiles(project, 'kit/src/')
        .concat(roomFiles(project, 'kit/embed/'))
        .filter(({ path }) => path !== PAGE_BUILD)
        .flatMap((file) =>
          file.imports
            .filter(({ specifier }) => !specifier.startsWith('.'))
            .map(({ specifier }) => `${file.path} imports ${specifier}`),
        ),
    sample: { 'kit/src/verify.ts': `import { createHash } from 'node:crypto'` },
  },
  {
    name: 'a room imports only the rooms below it, by package name',
    why: 'kit knows nobody, server and cli know kit: that is what lets each be published, read and replaced alone',
    violations: (project) => project.sources.flatMap((file) => strayImports(project, file)),
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
    why: '"kitseal verify" must start in the time of a bare Node and run where no database module is installed',
    violations: (project) =>
      roomFiles(project, 'cli/').flatMap((file) =>
        file.imports
          .filter(({ specifier }) => specifier.startsWith('@kitseal/server'))
          .filter(({ kind }) => kind !== 'type')
          .filter(
            ({ kind }) => kind === 'static' || !/^cli\/src\/commands\/(serve|admin|demo)/.test(file.path),
          )
          .map(({ specifier, kind }) => `${file.path} has a ${kind} import of ${specifier}`),
      ),
    sample: {
      'cli/src/commands/serve.ts': `import { serve } from '@kitseal/server'`,
      'cli/src/commands/verify.ts': `const { verify } = await import('@kitseal/server')`,
    },
  },
  {
    name: 'the pages import only what runs in a browser',
    why: 'anything else would bring Node, a database or a secret into the page',
    violations: (project) =>
      roomFiles(project, 'web/src/').flatMap((file) =>
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
    name: 'what verify.ts reaches holds no signing code',
    why: 'a verifier that cannot sign cannot be turned into a forger, and the page in each kit stays small',
    violations: (project) =>
      reachedFrom(project, 'kit/src/verify.ts')
        .filter(({ path, code }) => path.endsWith('/seal.ts') || SIGNS.test(code))
        .map(({ path }) => `kit/src/verify.ts reaches ${path}, which signs`),
    sample: {
      'kit/src/verify.ts': `import { checkSignature } from './crypto/signature.ts'`,
      'kit/src/crypto/signature.ts': `export const make = (key) => crypto.subtle.sign('Ed25519', key, bytes)`,
    },
  },
]

const FOR_BROWSERS: ReadonlySet<string> = new Set([
  '@kitseal/kit',
  '@kitseal/kit/in-browser',
  '@kitseal/kit/in-browser/result.css',
  '@kitseal/client',
  '@kitseal/evidence',
])

/** Makes the page out of its sources, and is no part of it. */
const PAGE_BUILD = 'kit/embed/build.ts'

const SIGNS = /\bsign\s*\(|\bcreateSign\b|\bcreatePrivateKey\b|\bsealKit\b/

const roomFiles = (project: Project, folder: string): readonly SourceFile[] =>
  project.sources.filter((file) => file.path.startsWith(folder) && !file.isTest)

function strayImports(project: Project, file: SourceFile): readonly string[] {
  const room = ROOMS.find(({ folder }) => file.path.startsWith(folder))
  if (room === undefined || file.isTest || file.path === PAGE_BUILD) return []
  return file.imports
    .filter((one) => !isAllowed(project, file, room, one))
    .map(({ specifier }) => `${file.path} imports ${specifier}`)
}

function isAllowed(project: Project, file: SourceFile, room: Room, { specifier }: Import): boolean {
  const top = file.path.split('/')[0] ?? ''
  if (specifier.startsWith('.')) return target(file.path, specifier).startsWith(`${top}/`)
  if (specifier.startsWith('node:')) return room.nodeBuiltins
  if (specifier.startsWith('virtual:')) return room.virtual?.includes(specifier) === true
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  return name.startsWith('@kitseal/') ? room.rooms.includes(name) : dependencies(project, top).includes(name)
}

function dependencies(project: Project, room: string): readonly string[] {
  const manifest = JSON.parse(project.texts[`${room}/package.json`] ?? '{}')
  return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
}

function reachedFrom(project: Project, start: string): readonly SourceFile[] {
  const byPath = new Map(project.sources.map((file) => [file.path, file]))
  const reached = new Set<string>()
  const visit = (file: SourceFile | undefined): void => {
    if (file === undefined || reached.has(file.path)) return
    reached.add(file.path)
    for (const { specifier, kind } of file.imports) {
      if (kind !== 'type' && specifier.startsWith('.')) visit(byPath.get(target(file.path, specifier)))
    }
  }
  visit(byPath.get(start))
  return [...reached].flatMap((path) => byPath.get(path) ?? [])
}
