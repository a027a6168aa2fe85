// kit and client as they are published, each a whole package: ES modules and types, nothing that is source. In the
// checkout the sources themselves run.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)

interface Room {
  readonly folder: string
  /** Copied as they are, beside what is compiled. */
  readonly assets: readonly string[]
}

/** In the order of who stands on whom. */
const ROOMS: readonly Room[] = [
  { folder: 'kit', assets: ['embed/verifier.html'] },
  { folder: 'client', assets: [] },
]

/** The oldest Node that what is published runs on; what is newer in the language is written out for it. */
const OLDEST_NODE = '>=20.15'
const TARGET = 'es2023'

/** Where the package of a room goes. */
export type PackageFolder = (room: string) => string

/** Builds every package and returns their folders. */
export function buildPackages(folderOf: PackageFolder): readonly string[] {
  return ROOMS.map((room) => {
    const made = folderOf(room.folder)
    rmSync(made, { recursive: true, force: true })
    mkdirSync(made, { recursive: true })
    compile(room, folderOf)
    for (const asset of room.assets) cpSync(inRoom(room, asset), path.join(made, 'lib', asset))
    writeFileSync(path.join(made, 'package.json'), `${JSON.stringify(description(room), null, 2)}\n`)
    cpSync(path.join(root, 'LICENSE'), path.join(made, 'LICENSE'))
    if (existsSync(inRoom(room, 'README.md'))) cpSync(inRoom(room, 'README.md'), path.join(made, 'README.md'))
    return made
  })
}

const inRoom = ({ folder }: Room, file: string): string => path.join(root, folder, file)

function compile(room: Room, folderOf: PackageFolder): void {
  const made = folderOf(room.folder)
  const config = path.join(made, 'tsconfig.json')
  const settings = {
    extends: path.join(root, 'tsconfig.base.json'),
    compilerOptions: {
      target: TARGET,
      lib: ['es2024', 'esnext.disposable'],
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules/@types')],
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: inRoom(room, '.'),
      outDir: path.join(made, 'lib'),
      // Against what is published of the rooms below, not against their sources.
      paths: {
        '@kitseal/kit': [path.join(folderOf('kit'), 'lib/src/index.d.ts')],
        '@kitseal/kit/node': [path.join(folderOf('kit'), 'lib/node/index.d.ts')],
      },
    },
    include: [inRoom(room, 'src/**/*.ts'), inRoom(room, 'node/**/*.ts')],
    exclude: [inRoom(room, '**/*.test.ts'), inRoom(room, 'src/web-standards.d.ts')],
  }
  writeFileSync(config, JSON.stringify(settings, null, 2))
  execFileSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' })
  rmSync(config)
  for (const file of globSync('lib/**/*.d.ts', { cwd: made })) nameBuiltFiles(path.join(made, file))
}

/** The compiler rewrites the endings of imports in JavaScript, and not in declarations. */
function nameBuiltFiles(declarations: string): void {
  const text = readFileSync(declarations, 'utf8')
  writeFileSync(declarations, text.replaceAll(/(["'])(\.\.?\/[^"'\n]+)\.ts\1/g, '$1$2.js$1'))
}

/** The package.json of the checkout, with the built files in place of the sources. */
function description(room: Room): object {
  const source = JSON.parse(readFileSync(inRoom(room, 'package.json'), 'utf8')) as {
    private: boolean
    exports: Readonly<Record<string, string>>
  }
  const { private: _, exports, ...rest } = source
  // What serves the pages of this checkout alone is not published.
  const published = Object.entries(exports).filter(([, file]) => !file.startsWith('./embed/'))
  const built = published.map(([name, file]) => {
    const stem = file.replace('./', './lib/').replace(/\.ts$/, '')
    return [name, { types: `${stem}.d.ts`, default: `${stem}.js` }]
  })
  return {
    ...rest,
    exports: Object.fromEntries(built),
    files: ['lib'],
    sideEffects: false,
    engines: { node: OLDEST_NODE },
  }
}
