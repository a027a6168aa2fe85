// Office files that are encrypted with a password, as Excel writes them.
import { createCipheriv, createHash } from 'node:crypto'
import { rc4 } from '../src/structures/legacy-crypto.ts'
import { compound } from './compound-samples.ts'

const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer)
const sha512 = (...parts: readonly Uint8Array[]): Buffer =>
  createHash('sha512').update(Buffer.concat(parts)).digest()
const sha1 = (...parts: readonly Uint8Array[]): Buffer =>
  createHash('sha1').update(Buffer.concat(parts)).digest()
const md5 = (...parts: readonly Uint8Array[]): Buffer =>
  createHash('md5').update(Buffer.concat(parts)).digest()
const SALT = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
const padded = (bytes: Uint8Array): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)])

function aes(mode: 'cbc' | 'ecb', key: Uint8Array, iv: Uint8Array | null, content: Uint8Array): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-${mode}`, key, iv).setAutoPadding(false)
  return Buffer.concat([cipher.update(padded(content)), cipher.final()])
}

const withSize = (content: Uint8Array, encrypted: Uint8Array): Buffer =>
  Buffer.concat([u32(content.length), u32(0), encrypted])

/** Agile encryption ([MS-OFFCRYPTO] 2.3.4.10), as current versions write it. */
export function agileEncrypted(content: Uint8Array, password: string): Buffer {
  let digest = sha512(SALT, Buffer.from(password, 'utf16le'))
  for (let spin = 0; spin < 1000; spin++) digest = sha512(u32(spin), digest)
  const seal = (id: string, value: Uint8Array): string =>
    aes('cbc', sha512(digest, Buffer.from(id, 'hex')).subarray(0, 32), SALT, value).toString('base64')
  const secret = sha512(SALT).subarray(0, 32)
  const input = Buffer.alloc(16, 7)
  const segments: Buffer[] = []
  for (let at = 0; at < content.length; at += 4096)
    segments.push(
      aes('cbc', secret, sha512(SALT, u32(at / 4096)).subarray(0, 16), content.subarray(at, at + 4096)),
    )
  const common = `saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512" saltValue="${SALT.toString('base64')}"`
  const xml = `<?xml version="1.0"?><encryption xmlns:p="x"><keyData ${common}/><keyEncryptors><keyEncryptor><p:encryptedKey spinCount="1000" ${common} encryptedVerifierHashInput="${seal('fea7d2763b4b9e79', input)}" encryptedVerifierHashValue="${seal('d7aa0f6d3061344e', sha512(input))}" encryptedKeyValue="${seal('146e0be7abacd0d6', secret)}"/></keyEncryptor></keyEncryptors></encryption>`
  return compound({
    EncryptionInfo: Buffer.concat([Buffer.from('0400040040000000', 'hex'), Buffer.from(xml)]),
    EncryptedPackage: withSize(content, Buffer.concat(segments)),
  })
}

/** Standard encryption (2.3.4.5), as Office 2007 writes it. */
export function standardEncrypted(content: Uint8Array, password: string): Buffer {
  let digest = sha1(SALT, Buffer.from(password, 'utf16le'))
  for (let spin = 0; spin < 50_000; spin++) digest = sha1(u32(spin), digest)
  digest = sha1(digest, u32(0))
  const half = (fill: number): Buffer =>
    sha1(Buffer.alloc(64, fill).map((byte, at) => byte ^ (digest[at] ?? 0)))
  const key = Buffer.concat([half(0x36), half(0x5c)]).subarray(0, 16)
  const input = Buffer.alloc(16, 7)
  const header = Buffer.concat([
    u32(0x24),
    u32(0),
    u32(0x660e),
    u32(0x8004),
    u32(128),
    u32(0x18),
    u32(0),
    u32(0),
    Buffer.alloc(2),
  ])
  return compound({
    EncryptionInfo: Buffer.concat([
      Buffer.from('0300020024000000', 'hex'),
      u32(header.length),
      header,
      u32(16),
      SALT,
      aes('ecb', key, null, input),
      u32(20),
      aes('ecb', key, null, sha1(input)),
    ]),
    EncryptedPackage: withSize(content, aes('ecb', key, null, content)),
  })
}

/** A workbook of Excel 97 with RC4 ([MS-XLS] 2.2.10). The headers of its records stay as they are. */
export function encryptedWorkbook(
  records: readonly Buffer[],
  password: string,
  kind: 'basic' | 'api',
): Buffer {
  const secret = Buffer.from(password, 'utf16le')
  const input = Buffer.alloc(16, 7)
  const start = Buffer.concat([md5(secret).subarray(0, 5), SALT])
  const base = md5(...Array.from({ length: 16 }, () => start)).subarray(0, 5)
  const keyOf = (block: number): Buffer =>
    kind === 'basic' ? md5(base, u32(block)) : sha1(sha1(SALT, secret), u32(block)).subarray(0, 16)
  const header = Buffer.concat([
    u32(4),
    u32(0),
    u32(0x6801),
    u32(0x8004),
    u32(128),
    u32(1),
    u32(0),
    u32(0),
    Buffer.alloc(2),
  ])
  const sealed = Buffer.from(
    rc4(keyOf(0), Buffer.concat([input, kind === 'basic' ? md5(input) : sha1(input)])),
  )
  const pass =
    kind === 'basic'
      ? Buffer.concat([Buffer.from('010001000100', 'hex'), SALT, sealed])
      : Buffer.concat([
          Buffer.from('01000200020004000000', 'hex'),
          u32(header.length),
          header,
          u32(16),
          SALT,
          sealed.subarray(0, 16),
          u32(20),
          sealed.subarray(16),
        ])
  const filePass = Buffer.concat([Buffer.from([0x2f, 0, pass.length, pass.length >> 8]), pass])
  const [first, ...rest] = records as [Buffer, ...Buffer[]]
  const plain = Buffer.concat([first, filePass, ...rest])
  const stream = Buffer.from(plain)
  for (let at = 0; at < plain.length; at += 1024)
    Buffer.from(rc4(keyOf(at / 1024), plain.subarray(at, at + 1024))).copy(stream, at)
  plain.copy(stream, 0, 0, first.length + filePass.length)
  for (let at = first.length + filePass.length; at < plain.length; at += 4 + plain.readUInt16LE(at + 2))
    plain.copy(stream, at, at, at + 4)
  return compound({ Workbook: stream })
}

/**
 * A workbook with XOR obfuscation (2.3.7.3). `key` is the key of the password and its verifier; Excel 95 writes no type before
 * them. Bytes are rotated to the left by 5 bits, then combined with the password and the key.
 */
export function xorWorkbook(
  records: readonly Buffer[],
  password: string,
  key: string,
  hasType = true,
): Buffer {
  const parts = Buffer.from(key, 'hex')
  const pass = Buffer.concat([Buffer.alloc(hasType ? 2 : 0), parts])
  const pad = Buffer.concat([Buffer.from(password), Buffer.of(0xbb)])
  const mask = Array.from({ length: 16 }, (_, index) => {
    const byte = (pad[index] ?? 0) ^ (parts[index % 2] ?? 0)
    return ((byte << 2) | (byte >> 6)) & 255
  })
  const [first, ...rest] = records as [Buffer, ...Buffer[]]
  let at = first.length + 4 + pass.length
  const hidden = rest.map((record) => {
    const length = record.length - 4
    const data = record.map((byte, index) =>
      index < 4 ? byte : (((byte << 5) | (byte >> 3)) & 255) ^ (mask[(at + index + length) % 16] ?? 0),
    )
    at += record.length
    return data
  })
  return compound({ Workbook: Buffer.concat([first, Buffer.of(0x2f, 0, pass.length, 0), pass, ...hidden]) })
}
