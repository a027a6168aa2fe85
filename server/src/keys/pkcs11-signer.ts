import type * as Pkcs11Module from 'pkcs11js'
import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { thumbprint } from '@kitseal/kit/internal'
import type { Pkcs11Config } from '../settings/config.ts'
import { KeyUnusable, type CreatedKey, type KeyProvider, type Signer } from './signer.ts'
import { readFile } from 'node:fs/promises'
import type { Handle, Mechanism, PKCS11, Template } from 'pkcs11js'
import { Semaphore } from '../runtime/semaphore.ts'

/** Private keys in a PKCS#11 token, such as an HSM. They never leave it. */
export function pkcs11Keys(options: Pkcs11Config): KeyProvider {
  let session: Promise<TokenSession> | undefined

  function connected(): Promise<TokenSession> {
    session ??= connectToken(options).catch((error: unknown) => {
      session = undefined
      throw error
    })
    return session
  }

  async function disconnect(): Promise<void> {
    const open = session
    session = undefined
    await (await open?.catch(() => undefined))?.close()
  }

  /** Retries once with a new session, because a token that was unplugged loses its sessions. */
  async function signOnToken(reference: string, message: Uint8Array): Promise<Uint8Array> {
    try {
      return await (await connected()).sign(idOf(reference), message)
    } catch (error) {
      if (error instanceof KeyUnusable) throw error
      await disconnect()
      return (await connected()).sign(idOf(reference), message)
    }
  }

  return {
    name: 'pkcs11',
    async create() {
      const id = randomBytes(16)
      const x = Buffer.from(await (await connected()).generate(id)).toString('base64url')
      return { kid: thumbprint(x), x, reference: id.toString('hex') }
    },
    async open(key) {
      const signer: Signer = {
        kid: key.kid,
        x: key.x,
        sign: (message) => signOnToken(key.reference, message),
      }
      await checkSigner(signer, key, options.token)
      return signer
    },
    async destroy(reference) {
      await (await connected()).destroy(idOf(reference))
    },
    close: disconnect,
  }
}

async function checkSigner(signer: Signer, key: CreatedKey, token: string): Promise<void> {
  const challenge = randomBytes(32)
  const signature = await signer.sign(challenge)
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x }, format: 'jwk' })
  if (!verify(null, challenge, publicKey, signature)) {
    throw new KeyUnusable(
      `token "${token}" has a different key with the ID of ${key.kid}; restore the token, or rotate`,
    )
  }
}

function idOf(reference: string): Buffer {
  if (!/^[0-9a-f]{32}$/.test(reference))
    throw new KeyUnusable('the reference of the key is not a token object ID')
  return Buffer.from(reference, 'hex')
}

// PKCS#11 3.0 constants that pkcs11js does not have.
const CKM_EC_EDWARDS_KEY_PAIR_GEN = 0x1055
const CKM_EDDSA = 0x1057
const CKK_EC_EDWARDS = 0x40
const ED25519_OID = Buffer.from([0x06, 0x03, 0x2b, 0x65, 0x70])

const CKR_USER_ALREADY_LOGGED_IN = 0x100
const CKR_PIN_INCORRECT = 0xa0
const CKR_CRYPTOKI_ALREADY_INITIALIZED = 0x191

type Pkcs11js = typeof Pkcs11Module

/** A logged-in session with a token. Calls are serialized. */
type TokenSession = Awaited<ReturnType<typeof connectToken>>

async function connectToken(options: Pkcs11Config) {
  const js = await loadPkcs11js()
  const library = loadLibrary(js, options.module)
  const handle = logIn(js, library, options, await readPin(options.pinFile))
  const handles = new Map<string, Handle>()
  const session = new Semaphore(1)

  function privateKey(id: Buffer): Handle {
    const name = id.toString('hex')
    const found = handles.get(name) ?? findObject(js, library, handle, js.CKO_PRIVATE_KEY, id)
    if (found === undefined) {
      throw new KeyUnusable(
        `token "${options.token}" has no private key with the ID ${name}; restore it, or rotate`,
      )
    }
    handles.set(name, found)
    return found
  }

  return {
    /** Creates a key pair that cannot be exported; returns the 32 bytes of the public key. */
    generate: (id: Buffer): Promise<Uint8Array> => session.run(() => generate(js, library, handle, id)),
    sign: (id: Buffer, message: Uint8Array): Promise<Uint8Array> =>
      session.run(() => {
        library.C_SignInit(handle, { mechanism: CKM_EDDSA } as Mechanism, privateKey(id))
        return library.C_SignAsync(handle, Buffer.from(message), Buffer.alloc(64))
      }),
    destroy: (id: Buffer): Promise<void> =>
      session.run(() => {
        for (const type of [js.CKO_PRIVATE_KEY, js.CKO_PUBLIC_KEY]) {
          const found = findObject(js, library, handle, type, id)
          if (found !== undefined) library.C_DestroyObject(handle, found)
        }
        handles.delete(id.toString('hex'))
      }),
    close: (): Promise<void> =>
      session.run(() => {
        library.C_CloseSession(handle)
        library.close()
      }),
  }
}

async function loadPkcs11js(): Promise<Pkcs11js> {
  try {
    const loaded = await import('pkcs11js')
    return 'default' in loaded ? (loaded.default as Pkcs11js) : loaded
  } catch (error) {
    throw new KeyUnusable('pkcs11js is not installed on this machine; run "npm install pkcs11js"', {
      cause: error,
    })
  }
}

function loadLibrary(js: Pkcs11js, path: string): PKCS11 {
  const library = new js.PKCS11()
  try {
    library.load(path)
  } catch (error) {
    throw new KeyUnusable(
      `${path} is not a PKCS#11 library; set KITSEAL_PKCS11_MODULE to the token's library`,
      { cause: error },
    )
  }
  // Never finalized, because that would end all other sessions of this process.
  ignoring(CKR_CRYPTOKI_ALREADY_INITIALIZED, () => library.C_Initialize({ flags: js.CKF_OS_LOCKING_OK }))
  return library
}

async function readPin(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    throw new KeyUnusable(
      `cannot read the PIN from ${file}; set KITSEAL_PKCS11_PIN_FILE to the file with the PIN`,
      { cause: error },
    )
  }
}

function logIn(js: Pkcs11js, library: PKCS11, options: Pkcs11Config, pin: string): Handle {
  const slot = library
    .C_GetSlotList(true)
    .find((each) => library.C_GetTokenInfo(each).label.trim() === options.token)
  if (slot === undefined) {
    throw new KeyUnusable(
      `there is no token with the label "${options.token}"; set KITSEAL_PKCS11_TOKEN to a token's label`,
    )
  }
  const session = library.C_OpenSession(slot, js.CKF_SERIAL_SESSION | js.CKF_RW_SESSION)
  try {
    ignoring(CKR_USER_ALREADY_LOGGED_IN, () => library.C_Login(session, js.CKU_USER, pin))
  } catch (error) {
    library.C_CloseSession(session)
    if (codeOf(error) !== CKR_PIN_INCORRECT) throw error
    throw new KeyUnusable(
      `token "${options.token}" rejected the PIN; put the user PIN into the file KITSEAL_PKCS11_PIN_FILE`,
      { cause: error },
    )
  }
  return session
}

async function generate(js: Pkcs11js, library: PKCS11, session: Handle, id: Buffer): Promise<Uint8Array> {
  const shared: Template = [
    { type: js.CKA_TOKEN, value: true },
    { type: js.CKA_KEY_TYPE, value: CKK_EC_EDWARDS },
    { type: js.CKA_ID, value: id },
    { type: js.CKA_LABEL, value: 'kitseal signing key' },
  ]
  const pair = await library.C_GenerateKeyPairAsync(
    session,
    { mechanism: CKM_EC_EDWARDS_KEY_PAIR_GEN } as Mechanism,
    [...shared, { type: js.CKA_EC_PARAMS, value: ED25519_OID }, { type: js.CKA_VERIFY, value: true }],
    [
      ...shared,
      { type: js.CKA_PRIVATE, value: true },
      { type: js.CKA_SENSITIVE, value: true },
      { type: js.CKA_EXTRACTABLE, value: false },
      { type: js.CKA_SIGN, value: true },
    ],
  )
  const [point] = library.C_GetAttributeValue(session, pair.publicKey, [{ type: js.CKA_EC_POINT }])
  return rawPoint(point?.value)
}

/** Tokens return the 32 bytes, or a DER octet string around them. */
function rawPoint(value: unknown): Uint8Array {
  if (Buffer.isBuffer(value)) {
    if (value.length === 32) return value
    if (value.length === 34 && value[0] === 0x04 && value[1] === 32) return value.subarray(2)
  }
  throw new KeyUnusable('the token returned a public key in an unknown format')
}

function findObject(js: Pkcs11js, library: PKCS11, session: Handle, type: number, id: Buffer) {
  library.C_FindObjectsInit(session, [
    { type: js.CKA_CLASS, value: type },
    { type: js.CKA_ID, value: id },
  ])
  try {
    return library.C_FindObjects(session, 1)[0]
  } finally {
    library.C_FindObjectsFinal(session)
  }
}

function ignoring(code: number, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (codeOf(error) !== code) throw error
  }
}

function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined
}
