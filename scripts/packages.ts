// Builds kit and client as npm packages: ES modules and type declarations. In the repository, the sources run.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)

interface Workspace {
  readonly folder: string
  /** Copied unchanged. */
  readonly assets: readonly string[]
}

/** In dependency order. */
const WORKSPACES: readonly Workspace[] = [
  { folder: 'kit', assets: ['embed/verifier.html'] },
  { folder: 'client', assets: [] },
]

/** The oldest Node that the packages support; newer syntax is compiled. */
const OLDEST_NODE = '>=20.15'
const TARGET = 'es2023'
/** What that Node has: for example, no `Map.groupBy`. */
const OLDEST_LIB = ['es2023', 'es2024.string', 'esnext.disposable']

/** Where to write the package of a workspace. */
export type PackageFolder = (workspace: string) => string

/** Builds every package and returns their folders. */
export function buildPackages(folderOf: PackageFolder): readonly string[] {
  return WORKSPACES.map((workspace) => {
    const made = folderOf(workspace.folder)
    rmSync(made, { recursive: true, force: true })
    mkdirSync(made, { recursive: true })
    compile(workspace, folderOf)
    for (const asset of workspace.assets) cpSync(inWorkspace(workspace, asset), path.join(made, 'lib', asset))
    writeFileSync(path.join(made, 'package.json'), `${JSON.stringify(packageJson(workspace), null, 2)}\n`)
    cpSync(path.join(root, 'LICENSE'), path.join(made, 'LICENSE'))
    if (existsSync(inWorkspace(workspace, 'README.md')))
      cpSync(inWorkspace(workspace, 'README.md'), path.join(made, 'README.md'))
    return made
  })
}

const inWorkspace = ({ folder }: Workspace, file: string): string => path.join(root, folder, file)

function compile(workspace: Workspace, folderOf: PackageFolder): void {
  const made = folderOf(workspace.folder)
  const config = path.join(made, 'tsconfig.json')
  const settings = {
    extends: path.join(root, 'tsconfig.base.json'),
    compilerOptions: {
      target: TARGET,
      lib: OLDEST_LIB,
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules/@types')],
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: inWorkspace(workspace, '.'),
      outDir: path.join(made, 'lib'),
      // Against the built packages, not their sources.
      paths: {
        '@kitseal/kit': [path.join(folderOf('kit'), 'lib/src/index.d.ts')],
        '@kitseal/kit/internal': [path.join(folderOf('kit'), 'lib/src/internal.d.ts')],
        '@kitseal/kit/internal/node': [path.join(folderOf('kit'), 'lib/node/internal.d.ts')],
        '@kitseal/kit/node': [path.join(folderOf('kit'), 'lib/node/index.d.ts')],
      },
    },
    include: [inWorkspace(workspace, 'src/**/*.ts'), inWorkspace(workspace, 'node/**/*.ts')],
    exclude: [inWorkspace(workspace, '**/*.test.ts'), inWorkspace(workspace, 'src/web-standards.d.ts')],
  }
  writeFileSync(config, JSON.stringify(settings, null, 2))
  execFileSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' })
  rmSync(config)
  for (const file of globSync('lib/**/*.d.ts', { cwd: made })) rewriteExtensions(path.join(made, file))
}

/** The compiler does not rewrite import extensions in declarations. */
function rewriteExtensions(declarations: string): void {
  const text = readFileSync(declarations, 'utf8')
  writeFileSync(declarations, text.replaceAll(/(["'])(\.\.?\/[^"'\n]+)\.ts\1/g, '$1$2.js$1'))
}

/** The workspace's package.json, with the built files instead of the sources. */
function packageJson(workspace: Workspace): object {
  const source = JSON.parse(readFileSync(inWorkspace(workspace, 'package.json'), 'utf8')) as {
    private: boolean
    exports: Readonly<Record<string, string>>
  }
  const { private: _, exports, ...rest } = source
  // in-browser is only for the pages in this repository.
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
