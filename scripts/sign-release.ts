import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { publicJwk } from '@kitseal/kit'
import { type NodeSigner, nodeSigner, readPrivateKey, sealFolder } from '@kitseal/kit/internal/node'
import description from '../package.json' with { type: 'json' }

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
    const id = createHash('sha256').update(sums).digest('base64url').slice(0, 27)
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
  const digest = createHash('sha512').update(message).digest()
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
