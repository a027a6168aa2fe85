import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeScript } from '../cli/build-standalone.ts'
import { fetchNodeBinary, NODE_BINARIES } from '../cli/node-binaries.ts'
import description from '../package.json' with { type: 'json' }
import { bill } from './bill-of-materials.ts'
import { buildPackages } from './packages.ts'
import { buildPythonPackage } from './python-package.ts'
import { archiveOf, buildProgram, type PlatformNode, selfExtracting } from './release-program.ts'
import { type ReleaseSigner, releaseSigner, signRelease } from './sign-release.ts'

const root = path.dirname(import.meta.dirname)
const COPIED = {
  'deploy/ci/kitseal-ci.sh': 'kitseal-ci.sh',
  'spec/openapi.json': 'openapi.json',
  'kit/embed/verifier.html': 'verifier.html',
  'spec/independent/kitseal-verify.py': 'kitseal-verify.py',
  'docs/how-to/install.md': 'INSTALL.md',
}

export interface ReleaseOptions {
  /** Executables for every platform, with Node.js from npm. */
  readonly allPlatforms?: boolean
  readonly signer?: ReleaseSigner
}

/** Builds the published files into an empty folder, signs them, and returns SHA256SUMS. With the same key, builds are reproducible. */
export async function buildRelease(
  folder: string,
  { allPlatforms = false, signer = releaseSigner(process.env) }: ReleaseOptions = {},
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
    const nodes = allPlatforms ? pinnedNodes(scratch) : [ownNode()]
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

const ownNode = (): PlatformNode => ({
  platform: `${process.platform}-${process.arch}`,
  node: process.execPath,
})

const pinnedNodes = (scratch: string): readonly PlatformNode[] =>
  NODE_BINARIES.map((binary) => ({
    platform: binary.platform,
    node: fetchNodeBinary(binary, path.join(root, '.cache/node'), scratch),
  }))

function writePrograms(
  folder: string,
  scratch: string,
  nodes: readonly PlatformNode[],
  seconds: number,
): void {
  const script = writeScript(folder)
  const onLinux = nodes.filter(({ platform }) => platform.startsWith('linux-'))
  buildProgram(path.join(scratch, 'package'), readFileSync(script, 'utf8'), onLinux)
  writeFileSync(
    path.join(folder, `kitseal-${description.version}.tgz`),
    archiveOf(scratch, ['package'], seconds),
  )
  for (const { platform } of onLinux) {
    const executable = path.join(folder, `kitseal-${platform}`)
    writeFileSync(executable, selfExtracting(path.join(scratch, 'package'), platform, seconds))
    chmodSync(executable, 0o755)
  }
}

/** What the image is built from, and the source of the release. */
const trackedFiles = (): readonly string[] =>
  execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '')

const sumsOf = (folder: string): string =>
  globSync('*', { cwd: folder })
    .toSorted()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(path.join(folder, file)))
          .digest('hex')}  ${file}\n`,
    )
    .join('')
