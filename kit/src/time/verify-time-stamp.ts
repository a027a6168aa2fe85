import { copyInput, sameBytes } from '../encoding/bytes.ts'
import type { Host } from '../host.ts'
import { type Certificate, certificateName, nameKey, parseCertificate } from './certificate.ts'
import { chainProblem } from './certificate-chain.ts'
import { der, onlyChild, parseDer, undefinedIfMalformed } from './der.ts'
import { isSameSigner, type TimeStamp } from './time-stamp.ts'
import { verifyWithCertificate } from './signature.ts'

/** What a reader's roots say about a time-stamp. */
export type TimeStampStatus =
  /** It is not over these bytes. */
  | { readonly is: 'mismatch' }
  /** It is not what its authority signed. */
  | { readonly is: 'invalid'; readonly why: string }
  /** It leads to none of the roots. */
  | { readonly is: 'untrusted'; readonly why: string }
  /** Without roots: the signature matches a certificate that nobody vouches for, or there is none. */
  | { readonly is: 'unconfirmed' }
  | {
      readonly is: 'trusted'
      /** The name of the authority, from its certificate. */
      readonly authority: string
      /** The latest time that the authority states: its time plus its accuracy, in milliseconds since 1970. */
      readonly latest: number
    }

/** Verifies a time-stamp over `data`. Without roots, everything but the authority is verified. */
export async function verifyTimeStamp(
  timeStamp: TimeStamp,
  data: Uint8Array,
  roots: readonly Certificate[] | undefined,
  host: Host,
): Promise<TimeStampStatus> {
  const { imprint } = timeStamp
  try {
    if (!sameBytes(imprint.hash, await host.hash(imprint.algorithm, copyInput(data))))
      return { is: 'mismatch' }
    return await verifyToken(timeStamp, roots, host)
  } catch (error) {
    return invalid(error instanceof Error ? error.message : 'it could not be checked')
  }
}

/** Verifies a time-stamp without what it is over. */
export async function verifyToken(
  given: TimeStamp,
  givenRoots: readonly Certificate[] | undefined,
  host: Host,
): Promise<TimeStampStatus> {
  const [timeStamp, roots] = [copyInput(given), copyInput(givenRoots)]
  const { content, digest, algorithm, attributes, signature, time, accuracyMs } = timeStamp
  if (!sameBytes(attributes.messageDigest, await host.hash(digest, content)))
    return invalid('its message digest is not that of its content')
  const candidates = [...parseUsable(timeStamp.certificates), ...(roots ?? [])]
  const authority = await findAuthority(timeStamp, candidates, host)
  if (authority === undefined)
    return roots === undefined
      ? { is: 'unconfirmed' }
      : { is: 'untrusted', why: 'the certificate of its authority is missing or not supported' }
  if (!(await verifyWithCertificate(authority.key, algorithm, attributes.signed, signature, host, digest)))
    return invalid('its signature is not valid')
  if (!isNamed(timeStamp, authority)) return invalid('it names another authority than its certificate')
  if (roots === undefined) return { is: 'unconfirmed' }
  const problem = await chainProblem(authority, candidates, roots, time, host)
  if (problem !== undefined) return { is: 'untrusted', why: problem }
  return {
    is: 'trusted',
    authority: certificateName(authority.subject) ?? 'an authority without a name',
    latest: time + accuracyMs,
  }
}

/** By issuer, serial number and hash: anyone can add certificates, also with the same issuer and serial number. */
async function findAuthority(
  { signer, attributes }: TimeStamp,
  candidates: readonly Certificate[],
  host: Host,
): Promise<Certificate | undefined> {
  for (const one of candidates) {
    if (!isSameSigner(one, signer)) continue
    const hashes = await Promise.all(
      attributes.certificateIds.map(({ algorithm }) => host.hash(algorithm, one.bytes)),
    )
    if (attributes.certificateIds.every(({ hash }, at) => sameBytes(hash, hashes[at]!))) return one
  }
  return undefined
}

const MAX_CERTIFICATES = 32

/** Certificates that cannot be read are left out: nobody vouches for them. */
function parseUsable(certificates: readonly Uint8Array[]): readonly Certificate[] {
  return certificates
    .slice(0, MAX_CERTIFICATES)
    .flatMap((bytes) => undefinedIfMalformed(() => parseCertificate(bytes)) ?? [])
}

/** RFC 3161: the name, if stated, is one of the certificate. */
function isNamed({ authority: name }: TimeStamp, { subject, otherNames }: Certificate): boolean {
  if (name === undefined) return true
  return [der(0xa4, subject), ...otherNames].some((own) => isSameName(own, name))
}

function isSameName(one: Uint8Array, other: Uint8Array): boolean {
  if (sameBytes(one, other)) return true
  const [a, b] = [one, other].map((name) => parseDer(name, 'a name'))
  return (
    a!.tag === 0xa4 &&
    b!.tag === 0xa4 &&
    nameKey(onlyChild(a!, 'a name')) === nameKey(onlyChild(b!, 'a name'))
  )
}

function invalid(why: string): TimeStampStatus {
  return { is: 'invalid', why }
}
