import { fromBase64 } from '../encoding/base64.ts'
import { fromUtf8 } from '../encoding/utf8.ts'
import { type Certificate, parseCertificate } from './certificate.ts'
import { timeStampMalformed, undefinedIfMalformed } from './time-stamp-format.ts'

const CERTIFICATES_LIMIT_BYTES = 10_000_000

/**
 * Parses the certificates of a reader: PEM, with any text around the certificates, or one certificate in DER. Those
 * that are not supported are left out, unless all are. Throws TimeStampFormatError.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readFileSync } from 'node:fs'
 * import { parseCertificates } from '@kitseal/kit'
 *
 * assert.equal(parseCertificates(readFileSync('tsa-roots.pem')).length, 1)
 * ```
 */
export function parseCertificates(bytes: Uint8Array): readonly Certificate[] {
  if (bytes.length > CERTIFICATES_LIMIT_BYTES)
    timeStampMalformed(`the certificates are larger than ${CERTIFICATES_LIMIT_BYTES} bytes`)
  if (bytes[0] === 0x30) return [parseCertificate(bytes)]
  const text = fromUtf8(bytes) ?? timeStampMalformed('the certificates are neither PEM nor DER')
  const blocks = text.split(/^-----BEGIN CERTIFICATE-----[ \t\r]*$/m).slice(1)
  if (blocks.length === 0)
    timeStampMalformed('there is no certificate in PEM: expected -----BEGIN CERTIFICATE-----')
  const certificates = blocks.map((block, at) => {
    const end = /^-----END CERTIFICATE-----[ \t\r]*$/m.exec(block)
    const der = end === null ? undefined : fromBase64(block.slice(0, end.index).replaceAll(/\s/g, ''))
    if (der === undefined) return timeStampMalformed(`certificate ${at + 1} is not valid PEM`)
    return der
  })
  const usable = certificates.flatMap((der) => undefinedIfMalformed(() => parseCertificate(der)) ?? [])
  // Collections of roots have some with other keys or algorithms. If there is no other, this says why.
  return usable.length > 0 ? usable : certificates.map(parseCertificate)
}
