// `npm run release [-- [--all] [FOLDER]]`: builds and signs the published files, in dist/release or FOLDER. With --all, for all
// platforms, with Node.js from npm, instead of for this machine. KITSEAL_RELEASE_KEY names the private key of the publisher, and
// KITSEAL_RELEASE_ISSUER the URL. SOURCE_DATE_EPOCH is the time, instead of that of the commit.
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, hash } from 'node:crypto'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { publicJwk } from '@kitseal/kit'
import { type NodeSigner, nodeSigner, readPrivateKey, sealFolder } from '@kitseal/kit/internal/node'
import description from '../package.json' with { type: 'json' }
import { buildPackages, buildPythonPackage } from './packages.ts'
import { archiveOf, buildProgram, fetchNodeBinary, NODE_BINARIES, selfExtracting } from './release-program.ts'

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
  const stem = path.join(folder, `kitseal-${description.version}`)
  const scratch = mkdtempSync(path.join(tmpdir(), 'kitseal-release-'))
  try {
    for (const made of buildPackages((room) => path.join(scratch, room)))
      execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
        cwd: made,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
    const nodes = allPlatforms
      ? NODE_BINARIES.map((binary) => ({
          platform: binary.name.replace('node-', ''),
          node: fetchNodeBinary(binary, path.join(root, '.cache/node'), scratch),
        }))
      : [{ platform: `${process.platform}-${process.arch}`, node: process.execPath }]
    const program = buildProgram(path.join(scratch, 'package'), nodes)
    writeFileSync(`${stem}.tgz`, archiveOf(scratch, ['package'], seconds))
    for (const { platform } of nodes)
      writeFileSync(path.join(folder, `kitseal-${platform}`), selfExtracting(program, platform, seconds), {
        mode: 0o755,
      })
  } finally {
    rmSync(scratch, { recursive: true })
  }
  buildPythonPackage(folder)
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  writeFileSync(`${stem}-image.tar.gz`, archiveOf(root, tracked.filter(Boolean), seconds))
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

/**
 * The key of KITSEAL_RELEASE_KEY, an Ed25519 key in PEM format as `kitseal keygen` makes, or one that is made for this build and
 * forgotten after it. The names of its signatures say so.
 */
export function releaseSigner(env: NodeJS.ProcessEnv) {
  const { KITSEAL_RELEASE_KEY: file, KITSEAL_KEY_PASSPHRASE: passphrase } = env
  const issuer = env['KITSEAL_RELEASE_ISSUER'] ?? 'https://kitseal.example'
  return file === undefined
    ? { signer: nodeSigner(generateKeyPairSync('ed25519').privateKey), isThrowAway: true, issuer }
    : { signer: readPrivateKey(file, { passphrase }), isThrowAway: false, issuer }
}

/** Signs SHA256SUMS of a release as a kit and in the format of `ssh-keygen -Y`, and returns the names of the files it wrote. */
export async function signRelease(
  folder: string,
  sums: string,
  { signer, isThrowAway, issuer }: ReturnType<typeof releaseSigner>,
  seconds: number,
): Promise<readonly string[]> {
  const mark = isThrowAway ? '.throw-away-key' : ''
  const names = {
    kit: `release-kit${mark}.zip`,
    jwks: `release-keys${mark}.json`,
    signature: `SHA256SUMS${mark}.sig`,
    signers: `allowed_signers${mark}`,
  }
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text)
  write(names.jwks, `${JSON.stringify({ keys: [publicJwk(signer.x)], revoked_keys: [] }, null, 2)}\n`)
  write(names.signature, await sshSignature(signer, Buffer.from(sums)))
  write(names.signers, `kitseal namespaces="${NAMESPACE}" ssh-ed25519 ${sshKey(signer).toString('base64')}\n`)
  const evidence = mkdtempSync(path.join(tmpdir(), 'kitseal-sums-'))
  try {
    writeFileSync(path.join(evidence, 'SHA256SUMS'), sums)
    const id = hash('sha256', sums, 'base64url').slice(0, 27)
    await sealFolder(evidence, {
      signer,
      issuer,
      scope: `kitseal ${description.version}`,
      identity: { kitId: `kit_${id}`, jobId: `job_${id}`, issuedAt: new Date(seconds * 1000).toISOString() },
      out: path.join(folder, names.kit),
    })
  } finally {
    rmSync(evidence, { recursive: true })
  }
  return Object.values(names)
}

const NAMESPACE = 'file'

/** PROTOCOL.sshsig of OpenSSH. */
async function sshSignature(signer: NodeSigner, message: Uint8Array): Promise<string> {
  const digest = hash('sha512', message, 'buffer')
  const facts = [NAMESPACE, '', 'sha512'].map(sshString)
  const signed = await signer.sign(Buffer.concat([Buffer.from('SSHSIG'), ...facts, sshString(digest)]))
  const signature = sshString(Buffer.concat([sshString('ssh-ed25519'), sshString(signed)]))
  const version1 = Buffer.from('SSHSIG\0\0\0\x01')
  const blob = Buffer.concat([version1, sshString(sshKey(signer)), ...facts, signature])
  const lines = blob.toString('base64').match(/.{1,70}/g) ?? []
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----', ''].join('\n')
}

const sshKey = ({ x }: NodeSigner): Buffer =>
  Buffer.concat([sshString('ssh-ed25519'), sshString(Buffer.from(x, 'base64url'))])

function sshString(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
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
