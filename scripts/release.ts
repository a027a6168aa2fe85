// `npm run release [-- [--all] [FOLDER]]`: builds and signs the published files, in dist/release or FOLDER. With --all, for all
// platforms, with Node.js from npm, instead of for this machine. KITSEAL_RELEASE_KEY names the private key of the publisher, and
// KITSEAL_RELEASE_ISSUER the URL. SOURCE_DATE_EPOCH is the time, instead of that of the commit.
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import description from '../package.json' with { type: 'json' }
import { buildPackages, buildPythonPackage } from './packages.ts'
import {
  archiveOf,
  buildProgram,
  fetchNodeBinary,
  NODE_BINARIES,
  type PlatformNode,
  selfExtracting,
} from './release-program.ts'
import { releaseSigner, signRelease } from './sign-release.ts'

const root = path.dirname(import.meta.dirname)
const COPIED = {
  'deploy/ci/kitseal-ci.sh': 'kitseal-ci.sh',
  'spec/openapi.json': 'openapi.json',
  'kit/embed/verifier.html': 'verifier.html',
  'spec/independent/kitseal-verify.py': 'kitseal-verify.py',
  'docs/how-to/install.md': 'INSTALL.md',
}

/** Builds the published files into an empty folder, signs them, and returns SHA256SUMS. With the same key, builds are reproducible. */
export async function buildRelease(
  folder: string,
  allPlatforms = false,
  signer = releaseSigner(process.env),
): Promise<string> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const seconds = releaseSeconds(process.env)
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
  const scratch = mkdtempSync(path.join(tmpdir(), 'kitseal-release-'))
  try {
    for (const made of buildPackages((room) => path.join(scratch, room)))
      execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
        cwd: made,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
    const nodes = allPlatforms
      ? pinnedNodes(scratch)
      : [{ platform: `${process.platform}-${process.arch}`, node: process.execPath }]
    writePrograms(folder, scratch, nodes, seconds)
  } finally {
    rmSync(scratch, { recursive: true })
  }
  buildPythonPackage(folder)
  const stem = path.join(folder, `kitseal-${description.version}`)
  writeFileSync(`${stem}-image.tar.gz`, archiveOf(root, trackedFiles(), seconds))
  writeFileSync(`${stem}-chart.tgz`, archiveOf(path.join(root, 'deploy/helm'), ['kitseal'], seconds))
  writeFileSync(path.join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill(), null, 2)}\n`)
  for (const [from, to] of Object.entries(COPIED)) copyFileSync(path.join(root, from), path.join(folder, to))
  const sums = sumsOf(folder)
  writeFileSync(path.join(folder, 'SHA256SUMS'), sums)
  await signRelease(folder, sums, signer, seconds)
  return sums
}

/** The time in archives and signatures: SOURCE_DATE_EPOCH, or the time of the commit. */
export function releaseSeconds(env: NodeJS.ProcessEnv): number {
  const text =
    env['SOURCE_DATE_EPOCH'] ??
    execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).trim()
  if (!/^\d{1,12}$/.test(text)) throw new Error(`SOURCE_DATE_EPOCH must be a number of seconds, not ${text}`)
  return Number(text)
}

const pinnedNodes = (scratch: string): Nodes =>
  NODE_BINARIES.map((binary) => ({
    platform: binary.name.replace('node-', ''),
    node: fetchNodeBinary(binary, path.join(root, '.cache/node'), scratch),
  }))

type Nodes = readonly PlatformNode[]

function writePrograms(folder: string, scratch: string, nodes: Nodes, seconds: number): void {
  buildProgram(path.join(scratch, 'package'), nodes)
  const archive = archiveOf(scratch, ['package'], seconds)
  writeFileSync(path.join(folder, `kitseal-${description.version}.tgz`), archive)
  for (const { platform } of nodes) {
    const executable = selfExtracting(path.join(scratch, 'package'), platform, seconds)
    writeFileSync(path.join(folder, `kitseal-${platform}`), executable, { mode: 0o755 })
  }
}

/** What the image is built from, and the source of the release. */
const trackedFiles = (): readonly string[] =>
  execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '')

function sumsOf(folder: string): string {
  const sum = (file: string): string => hash('sha256', readFileSync(path.join(folder, file)))
  return globSync('*', { cwd: folder })
    .toSorted()
    .map((file) => `${sum(file)}  ${file}\n`)
    .join('')
}

/** A bill of materials (CycloneDX): what package-lock.json pins, without what differs from build to build. */
export function bill(): object {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx']
  const made = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }))
  const { bomFormat, specVersion, version, metadata, components, dependencies } = made
  const component = { ...metadata.component, name: description.name }
  return { bomFormat, specVersion, version, metadata: { component }, components, dependencies }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ options: { all: { type: 'boolean' } }, allowPositionals: true })
  const folder = path.resolve(positionals[0] ?? path.join(root, 'dist/release'))
  const signer = releaseSigner(process.env)
  process.stdout.write(await buildRelease(folder, values.all, signer))
  console.log(`Wrote ${path.relative(process.cwd(), folder)}`)
  console.log(
    signer.isThrowAway
      ? 'NOT FOR PUBLICATION: signed with a key that was made for this build and thrown away. Set KITSEAL_RELEASE_KEY to the key of the publisher.'
      : `Signed by ${signer.issuer} with the key ${signer.signer.kid}`,
  )
}
