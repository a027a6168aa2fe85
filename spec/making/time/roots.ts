import { ca, certify, intermediate, otherRoot, pem, root, tsa } from './certificates.ts'
import { oid, sequence } from './der-parts.ts'
import { rsaSigner } from './signers.ts'

/** The CA certificates that some vectors need. */
export const expiredRoot = certify(
  'Expired root',
  undefined,
  ca({ valid: ['200101000000Z', '260505120129Z'] }),
)

/** ecdsa-with-SHA1 */
const SHA1 = { ...root.signer, algorithm: sequence(oid('1.2.840.10045.4.1')) }
/** Without version and extensions. */
const VERSION_1 = (parts: Uint8Array[]): Uint8Array[] => parts.slice(1, -1)

/** The certificates that readers trust, by name. */
export const ROOTS = {
  root: pem(root),
  other: pem(otherRoot),
  both: `Roots of time-stamp authorities\n\n${pem(otherRoot, root)}`,
  intermediate: pem(intermediate),
  /** As some authorities publish it. */
  chain: pem(tsa, intermediate, root),
  authority: pem(tsa),
  expired: pem(expiredRoot),
  sha1: pem(certify('Time root', undefined, ca({ signedBy: SHA1 }))),
  version1: pem(certify('Time root', undefined, { parts: VERSION_1 })),
  /** As collections of roots are: one of them has a key that is not supported. */
  many: pem(
    ...Array.from({ length: 150 }, () => otherRoot),
    certify('Weak root', undefined, ca({ signer: rsaSigner({ bits: 1024 }) })),
    root,
  ),
} as const

export type RootsName = keyof typeof ROOTS

export function rootsFile(name: RootsName): string {
  return `roots/${name}.pem`
}
