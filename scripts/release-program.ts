import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import description from '../package.json' with { type: 'json' }
import { type LockedPackage, lockedPackages } from './locked-packages.ts'

const root = path.dirname(import.meta.dirname)

/** A Node.js binary for a platform such as `linux-arm64`. */
export interface PlatformNode {
  readonly platform: string
  readonly node: string
}

/** The packages of Node.js that the lock file pins, one for each platform with an executable. */
export const NODE_BINARIES = lockedPackages().filter(({ name }) => name.startsWith('node-linux-'))

/** Downloads the binary into `cache` unless it is there, unpacks it into `folder`, and returns its path. */
export function fetchNodeBinary(
  { name, version, integrity }: Pick<LockedPackage, 'name' | 'version' | 'integrity'>,
  cache: string,
  folder: string,
): string {
  mkdirSync(cache, { recursive: true })
  const archive = path.join(cache, `${name}-${version}.tgz`)
  if (!existsSync(archive))
    execFileSync('npm', ['pack', '--silent', '--pack-destination', cache, `${name}@${version}`], {
      cwd: cache,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (found !== integrity)
    throw new Error(`${archive} is not the pinned file: ${found} instead of ${integrity}`)
  const unpacked = path.join(folder, name)
  mkdirSync(unpacked, { recursive: true })
  execFileSync('tar', ['-xzf', archive, '-C', unpacked, 'package/bin/node'])
  return path.join(unpacked, 'package/bin/node')
}

/** What the command line and the service read at run time, where the checkout has it. */
const FILES = [
  'cli/bin/*.cjs',
  'docs/dist/**/*.*',
  'kit/embed/verifier.html',
  'server/lean-process.cjs',
  'server/src/site/example-responses.json',
  'spec/*.json',
  'spec/independent/kitseal-verify.py',
  'web/dist/**/*.*',
  'CHANGELOG.md',
  'LICENSE',
]

/** Packages that a bundle cannot contain: native code, and fonts, which are read when a binder needs them. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': ['package.json', 'LICENSE', 'lib/**/*.js', 'prebuilds/*.node'],
  '@fontsource-variable/*': ['package.json', 'LICENSE', 'unicode.json', 'files/*-wght-normal.woff2'],
}

/**
 * Builds command line, server, pages and docs into a folder that is an npm package without dependencies. Under an older Node.js, it
 * continues with one of `nodes`.
 */
export function buildProgram(folder: string, nodes: readonly PlatformNode[]): string {
  execFileSync(process.execPath, [path.join(root, 'cli/build.ts'), path.join(folder, 'cli/dist')])
  for (const file of globSync(FILES, { cwd: root })) cpSync(path.join(root, file), path.join(folder, file))
  cpSync(path.join(root, 'cli/README.md'), path.join(folder, 'README.md'))
  writeFileSync(path.join(folder, 'LICENSES-OF-OTHERS.txt'), licencesOfOthers())
  const modules = path.join(folder, 'node_modules')
  const packages = Object.entries(PACKAGES).flatMap(([pattern, files]) =>
    globSync(pattern, { cwd: path.join(root, 'node_modules') }).map((name) => {
      const from = path.join(root, 'node_modules', name)
      for (const file of globSync(files, { cwd: from }))
        cpSync(path.join(from, file), path.join(modules, name, file))
      return [name, withoutDependencies(path.join(modules, name, 'package.json'))] as const
    }),
  )
  for (const { platform, node } of nodes) addNode(modules, platform, node)
  writePackage(folder, packages.toSorted(), nodes)
  return folder
}

/** Nothing is compiled when it is installed, and nothing else is installed with it. Returns its version. */
function withoutDependencies(file: string): string {
  const { name, version, license, type, main, exports } = JSON.parse(readFileSync(file, 'utf8'))
  writeJson(file, { name, version, license, type, main, exports, gypfile: false })
  return String(version)
}

const writeJson = (file: string, value: object): void =>
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
const nodePackage = (platform: string): string => `node-${platform}`

/** As npm installs it: cli/bin/node24.cjs finds it there. */
function addNode(modules: string, platform: string, node: string): void {
  const [os, cpu] = platform.split('-')
  const folder = path.join(modules, nodePackage(platform))
  mkdirSync(path.join(folder, 'bin'), { recursive: true })
  cpSync(node, path.join(folder, 'bin/node'), { dereference: true })
  const { node: version } = process.versions
  const own = { name: nodePackage(platform), version, license: 'MIT', os: [os], cpu: [cpu] }
  writeJson(path.join(folder, 'package.json'), own)
}

function writePackage(
  folder: string,
  packages: readonly (readonly [name: string, version: string])[],
  nodes: readonly PlatformNode[],
): void {
  const optional = nodes.map(({ platform }) => [nodePackage(platform), process.versions.node])
  writeJson(path.join(folder, 'package.json'), {
    name: 'kitseal',
    version: description.version,
    description: description.description,
    license: description.license,
    bin: { kitseal: 'cli/bin/kitseal.cjs' },
    engines: { node: '>=20' },
    dependencies: Object.fromEntries(packages),
    optionalDependencies: Object.fromEntries(optional),
    bundleDependencies: [...packages, ...optional].map(([name]) => name),
  })
}

/** A compressed tar archive that depends on nothing but names, contents and which files can be run. Needs GNU tar. */
export function archiveOf(
  folder: string,
  names: readonly string[],
  seconds: number,
  leftOut: readonly string[] = [],
): Buffer {
  const same = `--sort=name --mtime=@${seconds} --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r,go-w,a+X`
  const args = [...same.split(' '), ...leftOut.map((name) => `--exclude=${name}`)]
  args.push('--format=ustar', '--null', '--files-from=-', '--create')
  const input = names.map((name) => `${name}\0`).join('')
  const tar = execFileSync('tar', args, { cwd: folder, input, maxBuffer: 2 ** 31 })
  return gzipSync(tar)
}

/** One file for Linux that needs nothing installed: a shell script, and behind it the archive of the program with its Node.js. */
export function selfExtracting(program: string, platform: string, seconds: number): Buffer {
  const native = globSync(['node_modules/node-*', 'node_modules/better-sqlite3/prebuilds/*'], {
    cwd: program,
  })
  const others = native.filter((file) => !path.basename(file, '.node').endsWith(platform))
  const archive = archiveOf(
    program,
    ['.'],
    seconds,
    others.map((file) => `./${file}`),
  )
  const name = `program-${createHash('sha256').update(archive).digest('hex').slice(0, 16)}`
  const script = (offset: string): string => `#!/bin/sh
# kitseal ${description.version} for ${platform}: command line and server. An archive follows this script. The first run unpacks it.
cache=\${XDG_CACHE_HOME:-\${HOME:+$HOME/.cache}}
case $cache in
  /*) program=$cache/kitseal/${name} ;;
  *) echo 'kitseal: set XDG_CACHE_HOME to a folder of yours, where this program can be unpacked.' >&2; exit 2 ;;
esac
if [ ! -d "$program" ]; then
  mkdir -p "$cache/kitseal" && making=$(mktemp -d "$cache/kitseal/making-XXXXXX") && mkdir "$making/${name}" || exit 2
  tail -c +${offset} "$0" | tar -xzf - -C "$making/${name}" || { rm -rf "$making"; exit 2; }
  # Fails if another process was faster.
  mv "$making/${name}" "$cache/kitseal/" 2>/dev/null
  rm -rf "$making"
fi
exec "$program/node_modules/${nodePackage(platform)}/bin/node" "$program/cli/bin/kitseal.cjs" "$@"
`
  const offset = String(script('0000').length + 1).padStart(4, '0')
  return Buffer.concat([Buffer.from(script(offset)), archive])
}

/** The licences of the packages whose code or fonts are in a release, each text once. */
export function licencesOfOthers(): string {
  const packagesOf = new Map<string, string[]>()
  for (const { place, name, version, licence, dev } of lockedPackages()) {
    const folder = path.join(root, place)
    // pkcs11js is compiled where it is installed, so it is in no release.
    if (dev || !existsSync(folder) || name === 'pkcs11js') continue
    const [file] = globSync('{LICENSE,LICENCE,license,License}*', { cwd: folder }).toSorted()
    const text = file === undefined ? `${licence}\n` : readFileSync(path.join(folder, file), 'utf8')
    packagesOf.set(text, [...(packagesOf.get(text) ?? []), `${name} ${version}`])
  }
  return [...packagesOf]
    .map(([text, packages]) => `${packages.join(', ')}\n\n${text.trim()}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`)
}
