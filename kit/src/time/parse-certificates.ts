import { fromBase64 } from '../encoding/base64.ts'
import { fromUtf8 } from '../encoding/utf8.ts'
import { type Certificate, parseCertificate } from './certificate.ts'
import { timeStampMalformed } from './time-stamp-format.ts'

const LIMIT_BYTES = 1_000_000
const LIMIT_CERTIFICATES = 100

/**
 * Parses the certificates of a reader: PEM, with any text around the certificates, or one certificate in DER. Throws
 * TimeStampFormatError.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { parseCertificates, TimeStampFormatError, utf8 } from '@kitseal/kit'
 *
 * assert.throws(() => parseCertificates(utf8('no certificates')), TimeStampFormatError)
 * ```
 */
export function parseCertificates(bytes: Uint8Array): readonly Certificate[] {
  if (bytes.length > LIMIT_BYTES) timeStampMalformed(`the certificates are larger than ${LIMIT_BYTES} bytes`)
  if (bytes[0] === 0x30) return [parseCertificate(bytes)]
  const text = fromUtf8(bytes) ?? timeStampMalformed('the certificates are neither PEM nor DER')
  const blocks = text.split(/^-----BEGIN CERTIFICATE-----[ \t\r]*$/m).slice(1)
  if (blocks.length === 0)
    timeStampMalformed('there is no certificate in PEM: expected -----BEGIN CERTIFICATE-----')
  if (blocks.length > LIMIT_CERTIFICATES)
    timeStampMalformed(`there are more than ${LIMIT_CERTIFICATES} certificates`)
  return blocks.map((block, at) => {
    const end = /^-----END CERTIFICATE-----[ \t\r]*$/m.exec(block)
    const der = end === null ? undefined : fromBase64(block.slice(0, end.index).replaceAll(/\s/g, ''))
    if (der === undefined) return timeStampMalformed(`certificate ${at + 1} is not valid PEM`)
    return parseCertificate(der)
  })
}
