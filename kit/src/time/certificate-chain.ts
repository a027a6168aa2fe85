import { sameBytes } from '../encoding/bytes.ts'
import type { Host } from '../host.ts'
import type { Certificate } from './certificate.ts'
import { verifyWithCertificate } from './signature.ts'

const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
const ANY_PURPOSE = '2.5.29.37.0'
const DIGITAL_SIGNATURE = 0x8000
const NON_REPUDIATION = 0x4000
const KEY_CERT_SIGN = 0x0400
/** CA certificates above the authority's, the root included. */
const MAX_DEPTH = 8
/** Signatures that are verified before a search is given up. */
const MAX_SIGNATURES = 64

/**
 * Why a certificate may not sign time-stamps at a time, for a reader with these roots; undefined if it may. `others` are
 * certificates that nobody vouches for.
 */
export async function chainProblem(
  authority: Certificate,
  others: readonly Certificate[],
  roots: readonly Certificate[],
  at: number,
  host: Host,
): Promise<string | undefined> {
  const problem = authorityProblem(authority) ?? validityProblem(authority, at)
  if (problem !== undefined) return problem
  // The reader vouches for the authority itself.
  if (roots.some(({ bytes }) => sameBytes(bytes, authority.bytes))) return undefined
  const known = roots.filter(isAnchor)
  const search = { known, others: others.filter(({ isCa }) => isCa), at, host, left: MAX_SIGNATURES }
  if (await leadsToRoot(authority, [], search)) return undefined
  const expired = [...known, ...search.others].find((ca) => validityProblem(ca, at) !== undefined)
  const hint = expired === undefined ? '' : '; a certificate of an issuer was not valid at that time'
  return `its certificate does not lead to a root that you trust${hint}`
}

/** A CA, or a root without basic constraints, as they were made before version 3. */
const isAnchor = ({ isCa, issuerKey, subjectKey }: Certificate): boolean => isCa ?? issuerKey === subjectKey

interface Search {
  readonly known: readonly Certificate[]
  readonly others: readonly Certificate[]
  readonly at: number
  readonly host: Host
  left: number
}

/** `path` are the CA certificates from the one that signed the authority's up to `certificate`. */
async function leadsToRoot(
  certificate: Certificate,
  path: readonly Certificate[],
  search: Search,
): Promise<boolean> {
  const isUsable = (ca: Certificate): boolean =>
    ca.subjectKey === certificate.issuerKey && mayIssue(ca, path, search.at)
  for (const root of search.known.filter(isUsable))
    if (await isSignedBy(certificate, root, search)) return true
  if (path.length + 1 >= MAX_DEPTH) return false
  for (const ca of search.others.filter(isUsable)) {
    if (path.some(({ bytes }) => sameBytes(bytes, ca.bytes))) continue
    if ((await isSignedBy(certificate, ca, search)) && (await leadsToRoot(ca, [...path, ca], search)))
      return true
  }
  return false
}

async function isSignedBy(certificate: Certificate, ca: Certificate, search: Search): Promise<boolean> {
  const { algorithm, signed, signature } = certificate
  if (search.left === 0 || algorithm === undefined) return false
  search.left -= 1
  return verifyWithCertificate(ca.key, algorithm, signed, signature, search.host)
}

/** Whether a CA certificate may issue the one below it. */
function mayIssue(ca: Certificate, path: readonly Certificate[], at: number): boolean {
  // Certificates that a CA issues to itself do not count.
  const below = path.filter(({ subjectKey, issuerKey }) => subjectKey !== issuerKey).length
  return (
    ca.unknownCritical === undefined &&
    (ca.pathLength === undefined || below <= ca.pathLength) &&
    (ca.keyUsage === undefined || (ca.keyUsage & KEY_CERT_SIGN) !== 0) &&
    (ca.extendedKeyUsage?.purposes.some((one) => one === TIME_STAMPING || one === ANY_PURPOSE) ?? true) &&
    validityProblem(ca, at) === undefined
  )
}

function authorityProblem({
  isCa,
  keyUsage,
  extendedKeyUsage,
  unknownCritical,
}: Certificate): string | undefined {
  if (isCa === true) return 'its certificate is that of a CA'
  if (extendedKeyUsage === undefined) return 'its certificate is not for time-stamping'
  const { critical, purposes } = extendedKeyUsage
  if (purposes.length !== 1 || purposes[0] !== TIME_STAMPING)
    return 'its certificate is not for time-stamping alone'
  if (!critical) return 'the purpose in its certificate is not marked as critical'
  if (keyUsage !== undefined) {
    const signs = keyUsage & (DIGITAL_SIGNATURE | NON_REPUDIATION)
    if (signs === 0 || signs !== keyUsage) return 'the key usage in its certificate is not signatures alone'
  }
  return unknownCritical === undefined
    ? undefined
    : `its certificate has an unknown critical extension: ${unknownCritical}`
}

function validityProblem({ notBefore, notAfter }: Certificate, at: number): string | undefined {
  return at >= notBefore && at <= notAfter ? undefined : 'its certificate was not valid at that time'
}
