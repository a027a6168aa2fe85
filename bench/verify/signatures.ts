import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { bundleFromJSON } from '@sigstore/bundle'
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify'
import { parseStrictJson, publicJwk, sealKit, verifyReceipt } from '@kitseal/kit'
import { nodeHost, nodeSigner } from '@kitseal/kit/internal/node'

const CHECKS = 2000

/** Signatures checked per second on one thread: our receipts, and Sigstore bundles as npm checks them, offline. */
export async function signatureRates(): Promise<{ readonly receipts: number; readonly bundles: number }> {
  const ours = await receiptCheck()
  const theirs = bundleCheck()
  return { receipts: await rate(ours), bundles: await rate(theirs) }
}

async function rate(check: () => Promise<void> | void): Promise<number> {
  for (let round = 0; round < CHECKS / 4; round++) await check()
  const started = performance.now()
  for (let round = 0; round < CHECKS; round++) await check()
  return (CHECKS * 1000) / (performance.now() - started)
}

async function receiptCheck(): Promise<() => Promise<void>> {
  const signer = nodeSigner(generateKeyPairSync('ed25519').privateKey)
  const key = publicJwk(signer.x)
  const bytes = Buffer.from('evidence')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const { receipt } = await sealKit(
    {
      kitId: 'kit_benchbenchbenchbench00',
      jobId: 'job_benchbenchbenchbench00',
      issuedAt: '2026-01-01T00:00:00.000Z',
      issuer: 'https://issuer.example',
      scope: 'bench',
      files: [{ path: 'data/evidence.txt', sha256, sizeBytes: bytes.length, crc32: 0 }],
      jwks: { keys: [key] },
      signer,
    },
    nodeHost,
  )
  const text = Buffer.from(JSON.stringify(receipt))
  const keys = { keys: [key] }
  return async () => {
    const report = await verifyReceipt(parseStrictJson(text), undefined, keys, nodeHost)
    if (!report.ed25519_signature_valid) throw new Error(report.errors.join(' '))
  }
}

/** A bundle with a message signature and a public key, without certificate or log, like a receipt. P-256, like npm's keys. */
function bundleCheck(): () => void {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const artifact = Buffer.from('evidence')
  const text = JSON.stringify({
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { publicKey: { hint: 'bench' }, tlogEntries: [] },
    messageSignature: {
      messageDigest: {
        algorithm: 'SHA2_256',
        digest: createHash('sha256').update(artifact).digest('base64'),
      },
      signature: sign('sha256', artifact, privateKey).toString('base64'),
    },
  })
  const root = {
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [],
    certificateAuthorities: [],
    ctlogs: [],
    timestampAuthorities: [],
  }
  const trust = toTrustMaterial(root, () => ({ publicKey, validFor: () => true }))
  const verifier = new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 })
  return () => {
    verifier.verify(toSignedEntity(bundleFromJSON(JSON.parse(text)), artifact))
  }
}
