import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/** A software authenticator with P-256 passkeys and user verification. */
export interface Authenticator {
  /** Like `navigator.credentials.create`. */
  create(options: CreationOptions, origin?: string): object
  /** Like `navigator.credentials.get`, with the newest passkey for the domain. */
  get(options: RequestOptions, origin?: string): Signed
}

export interface Signed {
  readonly id: string
  readonly response: Readonly<Record<string, unknown>>
}

export interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
  readonly excludeCredentials?: readonly { readonly id: string }[]
}

export interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
}

interface Passkey {
  readonly id: Buffer
  readonly key: KeyObject
  readonly rpId: string
  readonly userHandle: string
  counter: number
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const ATTESTED = 0x40

export function softwareAuthenticator(origin: string, { verifiesUser = true } = {}): Authenticator {
  const passkeys: Passkey[] = []
  const flags = USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0)
  return {
    create: ({ challenge, rp, user, excludeCredentials = [] }, from = origin) => {
      if (passkeys.some(({ id }) => excludeCredentials.some((each) => each.id === id.toString('base64url'))))
        throw new Error('InvalidStateError: there is a passkey already')
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const passkey = { id: randomBytes(32), key: privateKey, rpId: rp.id, userHandle: user.id, counter: 0 }
      passkeys.push(passkey)
      const data = authenticatorData(passkey, flags | ATTESTED, attestedKey(passkey.id, publicKey))
      const attestation = map([
        [text('fmt'), text('none')],
        [text('attStmt'), map([])],
        [text('authData'), bytes(data)],
      ])
      return credential(passkey, {
        clientDataJSON: clientData('webauthn.create', challenge, from),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    get: ({ challenge, rpId }, from = origin) => {
      const passkey = passkeys.findLast((each) => each.rpId === rpId)
      if (passkey === undefined) throw new Error(`no passkey for ${rpId}`)
      passkey.counter += 1
      const clientDataJSON = clientData('webauthn.get', challenge, from)
      const data = authenticatorData(passkey, flags, Buffer.alloc(0))
      const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
      return credential(passkey, {
        clientDataJSON,
        authenticatorData: data.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(passkey.key).toString('base64url'),
        userHandle: passkey.userHandle,
      })
    },
  }
}

function credential({ id }: Passkey, response: Record<string, unknown>): Signed {
  const name = id.toString('base64url')
  return Object.assign(
    { id: name, response },
    { rawId: name, type: 'public-key', clientExtensionResults: {} },
  )
}

const clientData = (type: string, challenge: string, origin: string): string =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')

const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest()

function authenticatorData({ rpId, counter }: Passkey, flags: number, attested: Buffer): Buffer {
  const state = Buffer.alloc(5)
  state.writeUInt8(flags)
  state.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(Buffer.from(rpId)), state, attested])
}

/** COSE key: kty EC2, alg ES256, crv P-256, x, y. */
function attestedKey(id: Buffer, publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const key = map([
    [number(1), number(2)],
    [number(3), number(-7)],
    [number(-1), number(1)],
    [number(-2), bytes(Buffer.from(x, 'base64url'))],
    [number(-3), bytes(Buffer.from(y, 'base64url'))],
  ])
  return Buffer.concat([Buffer.alloc(16), length, id, key])
}

// A subset of CBOR (RFC 8949).
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
const number = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value])
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()])
