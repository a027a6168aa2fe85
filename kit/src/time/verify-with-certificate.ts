import type { Host } from '../host.ts'
import { algorithmFor, type CertificateKey, plainEcdsa } from './public-key.ts'
import type { HashName, NamedAlgorithm } from './signature-algorithm.ts'

/** Whether a signature is by the key of a certificate. `digest` is the hash where the algorithm names none. */
export async function verifyWithCertificate(
  key: CertificateKey,
  named: NamedAlgorithm,
  message: Uint8Array,
  signature: Uint8Array,
  host: Host,
  digest?: HashName,
): Promise<boolean> {
  const algorithm = algorithmFor(key, named, digest)
  if (algorithm === undefined) return false
  try {
    const plain = algorithm.name === 'ECDSA' ? plainEcdsa(signature, algorithm.curve) : signature
    return await host.verifySignature(algorithm, key.spki, message, plain)
  } catch {
    // The signature is malformed, or the platform rejects the key, such as a point that is not on the curve.
    return false
  }
}
