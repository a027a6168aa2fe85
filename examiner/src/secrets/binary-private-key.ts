const any = undefined
const PBES2 = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0d]

/** After the length of the outer sequence. */
const DER_KEYS: readonly (readonly [title: string, bytes: readonly (number | undefined)[]])[] = [
  ['a private key (PKCS#8)', [0x02, 0x01, 0x00, 0x30, any, 0x06]],
  ['a private key (PKCS#1)', [0x02, 0x01, 0x00, 0x02, 0x82]],
  ['a private key (PKCS#1)', [0x02, 0x01, 0x00, 0x02, 0x81]],
  ['a private key (SEC1)', [0x02, 0x01, 0x01, 0x04, 0x20]],
  ['a private key (SEC1)', [0x02, 0x01, 0x01, 0x04, 0x30]],
  ['an encrypted private key (PKCS#8)', [0x30, any, ...PBES2]],
  ['a key store (PKCS#12)', [0x02, 0x01, 0x03, 0x30]],
]

const OPENPGP_ALGORITHMS = new Set([1, 17, 18, 19, 22])

/** Names the kind of private key that binary content is: in DER, PKCS#12, or an OpenPGP secret key packet. */
export function binaryPrivateKey(head: Uint8Array): string | undefined {
  if (head[0] === 0x95 && head[3] === 4 && OPENPGP_ALGORITHMS.has(head[8] ?? 0))
    return 'a private key (OpenPGP)'
  if (head[0] !== 0x30) return undefined
  const first = head[1] ?? 0
  // A length in one byte, or the number of bytes of the length.
  const at = first < 0x80 ? 2 : 2 + (first & 0x7f)
  if (at > 6) return undefined
  return DER_KEYS.find(([, bytes]) =>
    bytes.every((byte, index) => byte === undefined || head[at + index] === byte),
  )?.[0]
}
