import { ca, certify, intermediate, otherRoot, pem, root, tsa } from './certificates.ts'

/** The CA certificates that some vectors need. */
export const expiredRoot = certify(
  'Expired root',
  undefined,
  ca({ valid: ['200101000000Z', '260505120129Z'] }),
)

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
} as const

export type RootsName = keyof typeof ROOTS

export function rootsFile(name: RootsName): string {
  return `roots/${name}.pem`
}
