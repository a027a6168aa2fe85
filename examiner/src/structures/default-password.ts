import { joined, viewOf } from '../platform/sources.ts'
import { type CompoundDirectory } from './compound-directory.ts'
import { encryptionStreams } from './encrypted-office.ts'
import { md5, rc4 } from './legacy-crypto.ts'

/** Excel encrypts with it if a workbook is only write-protected, and opens such files without asking. */
const PASSWORD = 'VelvetSweatshop'
const MAX_PACKAGE_BYTES = 64 * 1024 * 1024
const MAX_SPINS = 200_000
const SEGMENT_BYTES = 4096
const BLOCK_BYTES = 1024

const password = Uint8Array.from([...PASSWORD].flatMap((letter) => [letter.charCodeAt(0), 0]))
const u32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer)
const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.every((byte, index) => byte === b[index])

/** The package of an Office file ([MS-OFFCRYPTO] 2.3.4) that the default password opens. Undefined if it does not. */
export async function packageWithDefaultPassword(
  directory: CompoundDirectory,
): Promise<Uint8Array | undefined> {
  const streams = encryptionStreams(directory)
  if (streams.info === undefined || streams.package === undefined) return undefined
  if (streams.package.sizeBytes > MAX_PACKAGE_BYTES) return undefined
  const info = await directory.readStart(streams.info, 64 * 1024)
  const encrypted = await directory.readStart(streams.package, MAX_PACKAGE_BYTES)
  try {
    const isAgile = viewOf(info).getUint32(0, true) === 0x00040004
    const content = await (isAgile
      ? agile(info, encrypted.subarray(8))
      : standard(info, encrypted.subarray(8)))
    return content?.subarray(0, viewOf(encrypted).getUint32(0, true))
  } catch {
    // What cannot be read is encrypted.
    return undefined
  }
}

async function agile(info: Uint8Array, encrypted: Uint8Array): Promise<Uint8Array | undefined> {
  const xml = new TextDecoder().decode(info.subarray(8))
  const data = /<keyData\b[^>]*>/.exec(xml)?.[0] ?? ''
  const key = /<(?:\w+:)?encryptedKey\b[^>]*>/.exec(xml)?.[0] ?? ''
  const hash = hasher(text(key, 'hashAlgorithm'))
  const spins = Number(text(key, 'spinCount'))
  const salt = bytes(key, 'saltValue')
  if (!(spins <= MAX_SPINS) || text(key, 'cipherAlgorithm') !== 'AES') return undefined
  let digest = await hash(joined(salt, password))
  for (let spin = 0; spin < spins; spin++) digest = await hash(joined(u32(spin), digest))
  const keyBytes = Number(text(key, 'keyBits')) / 8
  const decrypt = async (purpose: string, value: Uint8Array): Promise<Uint8Array> => {
    const id = Uint8Array.from(purpose.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
    return aesCbc(fitted(await hash(joined(digest, id)), keyBytes), salt, value)
  }
  const input = await decrypt('fea7d2763b4b9e79', bytes(key, 'encryptedVerifierHashInput'))
  const expected = await decrypt('d7aa0f6d3061344e', bytes(key, 'encryptedVerifierHashValue'))
  if (!isSame(await hash(input), expected)) return undefined
  const secret = (await decrypt('146e0be7abacd0d6', bytes(key, 'encryptedKeyValue'))).subarray(0, keyBytes)
  const dataHash = hasher(text(data, 'hashAlgorithm'))
  const parts: Uint8Array[] = []
  for (let at = 0; at < encrypted.length; at += SEGMENT_BYTES) {
    const vector = fitted(await dataHash(joined(bytes(data, 'saltValue'), u32(at / SEGMENT_BYTES))), 16)
    parts.push(await aesCbc(secret, vector, encrypted.subarray(at, at + SEGMENT_BYTES)))
  }
  return joined(...parts)
}

/** An attribute, as text and from base64. */
const text = (tag: string, name: string): string => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
const bytes = (tag: string, name: string): Uint8Array =>
  Uint8Array.from(atob(text(tag, name)), (letter) => letter.charCodeAt(0))

/** The same with SHA-1, and each block by itself (ECB). */
async function standard(info: Uint8Array, encrypted: Uint8Array): Promise<Uint8Array | undefined> {
  const view = viewOf(info)
  const headerBytes = view.getUint32(8, true)
  const keyBytes = view.getUint32(12 + 16, true) / 8
  const verifier = info.subarray(12 + headerBytes)
  const hash = hasher('SHA1')
  let digest = await hash(joined(verifier.subarray(4, 20), password))
  for (let spin = 0; spin < 50_000; spin++) digest = await hash(joined(u32(spin), digest))
  digest = await hash(joined(digest, u32(0)))
  const half = (fill: number): Promise<Uint8Array> =>
    hash(new Uint8Array(64).fill(fill).map((byte, index) => byte ^ (digest[index] ?? 0)))
  const key = joined(await half(0x36), await half(0x5c)).subarray(0, keyBytes)
  const input = await aesEcb(key, verifier.subarray(20, 36))
  if (!isSame(await hash(input), (await aesEcb(key, verifier.subarray(40, 72))).subarray(0, 20)))
    return undefined
  return aesEcb(key, encrypted)
}

/** Decrypts the stream of a workbook ([MS-XLS] 2.2.10), except for its headers, if the default password opens it. */
export async function workbookWithDefaultPassword(
  filePass: Uint8Array,
  stream: Uint8Array,
): Promise<Uint8Array | undefined> {
  const view = viewOf(filePass)
  const obfuscated = filePass.length < 4 ? undefined : plainOfXor(filePass, stream)
  if (obfuscated !== undefined) return obfuscated
  if (filePass.length < 54 || view.getUint16(0, true) !== 1) return undefined
  const isBasic = view.getUint16(2, true) === 1
  const keyOf = isBasic ? basicKeys(filePass.subarray(6, 22)) : await cryptoApiKeys(filePass)
  if (keyOf === undefined) return undefined
  const verifier = isBasic ? filePass.subarray(22, 54) : verifierOf(filePass)
  const opened = rc4(await keyOf(0), verifier)
  const digest = isBasic ? md5(opened.subarray(0, 16)) : await hasher('SHA1')(opened.subarray(0, 16))
  if (!isSame(digest, opened.subarray(16))) return undefined
  const parts: Uint8Array[] = []
  for (let at = 0; at < stream.length; at += BLOCK_BYTES)
    parts.push(rc4(await keyOf(at / BLOCK_BYTES), stream.subarray(at, at + BLOCK_BYTES)))
  return joined(...parts)
}

/** What the default password gives for XOR obfuscation ([MS-OFFCRYPTO] 2.3.7.2): the key and what it is checked with. */
const [XOR_KEY, XOR_VERIFIER] = [0xb359, 0x9a0a]
const XOR_BYTES = Uint8Array.from([...PASSWORD, '\u00bb'], (letter, index) => {
  const byte = letter.charCodeAt(0) ^ (index % 2 === 0 ? XOR_KEY & 255 : XOR_KEY >> 8)
  return (byte << 2) | (byte >> 6)
})

/** The key of a byte is found by its offset and the length of its record. Excel 95 writes no type before the key. */
function plainOfXor(filePass: Uint8Array, stream: Uint8Array): Uint8Array | undefined {
  const [pass, records] = [viewOf(filePass), viewOf(stream)]
  const at = filePass.length >= 6 ? 2 : 0
  if (at === 2 && pass.getUint16(0, true) !== 0) return undefined
  if (pass.getUint16(at, true) !== XOR_KEY || pass.getUint16(at + 2, true) !== XOR_VERIFIER) return undefined
  const plain = stream.slice()
  for (let record = 0; record + 4 <= stream.length;) {
    const length = records.getUint16(record + 2, true)
    for (let offset = record + 4; offset < record + 4 + length && offset < stream.length; offset++) {
      const byte = (stream[offset] as number) ^ (XOR_BYTES[(offset + length) % 16] as number)
      plain[offset] = (byte >> 5) | (byte << 3)
    }
    record += 4 + length
  }
  return plain
}

type KeyOf = (block: number) => Uint8Array | Promise<Uint8Array>

function basicKeys(salt: Uint8Array): KeyOf {
  const start = joined(md5(password).subarray(0, 5), salt)
  const key = md5(joined(...Array.from({ length: 16 }, () => start))).subarray(0, 5)
  return (block) => md5(joined(key, u32(block)))
}

async function cryptoApiKeys(filePass: Uint8Array): Promise<KeyOf | undefined> {
  const view = viewOf(filePass)
  const headerBytes = view.getUint32(10, true)
  const keyBytes = (view.getUint32(14 + 16, true) || 40) / 8
  const salt = filePass.subarray(14 + headerBytes + 4, 14 + headerBytes + 20)
  if (salt.length < 16 || keyBytes > 16) return undefined
  const hash = hasher('SHA1')
  const start = await hash(joined(salt, password))
  return async (block) => {
    const key = (await hash(joined(start, u32(block)))).subarray(0, keyBytes)
    return keyBytes === 5 ? joined(key, new Uint8Array(11)) : key
  }
}

/** The encrypted verifier and its hash, without the length between them. */
function verifierOf(filePass: Uint8Array): Uint8Array {
  const at = 14 + viewOf(filePass).getUint32(10, true) + 20
  return joined(filePass.subarray(at, at + 16), filePass.subarray(at + 20, at + 40))
}

type Hash = (data: Uint8Array) => Promise<Uint8Array>

function hasher(name: string): Hash {
  const algorithm = `SHA-${/^SHA-?(1|256|384|512)$/.exec(name)?.[1]}`
  return async (data) => new Uint8Array(await crypto.subtle.digest(algorithm, new Uint8Array(data)))
}

/** Cut off, or filled up with 0x36. */
function fitted(digest: Uint8Array, length: number): Uint8Array {
  const filled = new Uint8Array(length).fill(0x36)
  filled.set(digest.subarray(0, length))
  return filled
}

/** Without padding, which WebCrypto asks for: a block is added that decrypts to one of padding. */
async function aesCbc(keyBytes: Uint8Array, vector: Uint8Array, encrypted: Uint8Array): Promise<Uint8Array> {
  const whole = new Uint8Array(encrypted.subarray(0, encrypted.length - (encrypted.length % 16)))
  const key = await crypto.subtle.importKey('raw', new Uint8Array(keyBytes), 'AES-CBC', false, [
    'encrypt',
    'decrypt',
  ])
  const last = whole.length === 0 ? new Uint8Array(vector.subarray(0, 16)) : whole.slice(-16)
  const padding = await crypto.subtle.encrypt({ name: 'AES-CBC', iv: last }, key, new Uint8Array(0))
  const iv = new Uint8Array(vector.subarray(0, 16))
  const all = new Uint8Array(joined(whole, new Uint8Array(padding)))
  return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, key, all))
}

/** Each block is what CBC decrypts to, without the block before it. */
async function aesEcb(key: Uint8Array, encrypted: Uint8Array): Promise<Uint8Array> {
  const plain = await aesCbc(key, new Uint8Array(16), encrypted)
  return plain.map((byte, index) => byte ^ (index < 16 ? 0 : (encrypted[index - 16] as number)))
}
