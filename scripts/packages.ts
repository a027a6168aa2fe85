// Builds kit and client as npm packages: ES modules and type declarations. In the repository, the sources run.
// `npm run build:packages` writes them into kit/dist/package and client/dist/package.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)

/** In dependency order. */
const WORKSPACES = ['kit', 'client'] as const
type Workspace = (typeof WORKSPACES)[number]
/** Copied unchanged, where the workspace has it. */
const ASSETS = { 'embed/verifier.html': 'lib/kit/embed/verifier.html', 'README.md': 'README.md' } as const

/** The oldest Node that the packages support; newer syntax is compiled. */
const OLDEST_NODE = '>=20.15'
/** What that Node has: for example, no `Map.groupBy`. */
const OLDEST_LIB = ['es2023', 'es2024.string', 'esnext.disposable']

/** Builds each package where `folderOf` says for its workspace, and returns the folders. */
export function buildPackages(folderOf: (workspace: string) => string): readonly string[] {
  return WORKSPACES.map((workspace) => {
    const made = folderOf(workspace)
    rmSync(made, { recursive: true, force: true })
    mkdirSync(made, { recursive: true })
    compile(workspace, folderOf)
    for (const [from, to] of Object.entries(ASSETS))
      if (existsSync(inWorkspace(workspace, from))) cpSync(inWorkspace(workspace, from), path.join(made, to))
    writeFileSync(path.join(made, 'package.json'), `${JSON.stringify(packageJson(workspace), null, 2)}\n`)
    cpSync(path.join(root, 'LICENSE'), path.join(made, 'LICENSE'))
    return made
  })
}

const inWorkspace = (workspace: Workspace, file: string): string => path.join(root, workspace, file)

function compile(workspace: Workspace, folderOf: (workspace: string) => string): void {
  const made = folderOf(workspace)
  const config = path.join(made, 'tsconfig.json')
  const settings = {
    extends: path.join(root, 'tsconfig.base.json'),
    compilerOptions: {
      target: 'es2023',
      lib: OLDEST_LIB,
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules/@types')],
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      resolveJsonModule: true,
      rootDir: root,
      outDir: path.join(made, 'lib'),
      // Against the built packages, not their sources.
      paths: {
        '@kitseal/kit': [path.join(folderOf('kit'), 'lib/kit/src/index.d.ts')],
        '@kitseal/kit/internal': [path.join(folderOf('kit'), 'lib/kit/src/internal.d.ts')],
        '@kitseal/kit/internal/node': [path.join(folderOf('kit'), 'lib/kit/node/internal.d.ts')],
        '@kitseal/kit/node': [path.join(folderOf('kit'), 'lib/kit/node/index.d.ts')],
      },
    },
    include: [inWorkspace(workspace, 'src/**/*.ts'), inWorkspace(workspace, 'node/**/*.ts')],
    exclude: [inWorkspace(workspace, '**/*.test.ts')],
  }
  writeFileSync(config, JSON.stringify(settings, null, 2))
  execFileSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' })
  rmSync(config)
  // The compiler does not rewrite import extensions in declarations.
  for (const file of globSync(path.join(made, 'lib/**/*.d.ts')))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(["'])(\.\.?\/[^"'\n]+)\.ts\1/g, '$1$2.js$1'))
  // The English texts are built in: bundlers need no loader for them, and the oldest Node does not warn of an experimental feature.
  for (const file of globSync(path.join(made, 'lib/**/*.js')))
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll(JSON_IMPORT, (_, name: string, json: string) => {
        const data: unknown = JSON.parse(readFileSync(path.resolve(path.dirname(file), json), 'utf8'))
        return `const ${name} = ${JSON.stringify(data, null, 2)};`
      }),
    )
  rmSync(path.join(made, 'lib/texts'), { recursive: true, force: true })
}

const JSON_IMPORT = /^import (\w+) from ["'](.+\.json)["'] with .*$/gm

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
    const stem = file.replace('./', `./lib/${workspace}/`).replace(/\.ts$/, '')
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

/** Builds the wheel and the source distribution of python/ into a folder, and returns their paths. */
export function buildPythonPackage(folder: string, python = 'python3'): readonly string[] {
  const build = path.join(root, 'python/build_package.py')
  return execFileSync(python, ['-B', build, folder], { encoding: 'utf8' }).trim().split('\n')
}

if (import.meta.main)
  for (const folder of buildPackages((room) => path.join(root, room, 'dist', 'package')))
    console.log(`npm pack ./${path.relative(root, folder)}`)
