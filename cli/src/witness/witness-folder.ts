import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ED25519_COSIGNATURE, fromBase64url, LogFormatError, type NoteKey, noteKey, vkey } from '@kitseal/kit'
import {
  KeyFileError,
  makeFolder,
  type NodeSigner,
  nodeHost,
  nodeSigner,
  readPrivateKey,
} from '@kitseal/kit/node'
import { describeError, InputError } from '../input-error.ts'
import { keyEncryption, writeNewFile } from '../write-new-file.ts'
import {
  createWitnessStore,
  openWitnessStore,
  type WitnessStore,
  WitnessStoreError,
} from './witness-store.ts'

const KEY = 'witness.key'
const VKEY = 'witness.vkey'
const DATABASE = 'witness.sqlite'

/** The key of a witness and what it remembers. They are created together and never used apart. */
export interface WitnessFolder extends Disposable {
  readonly key: NoteKey
  readonly signer: NodeSigner
  readonly store: WitnessStore
}

/** Creates a witness in a new or empty folder. Throws InputError. */
export async function createWitnessFolder(
  folder: string,
  name: string,
  passphrase: string | undefined,
): Promise<NoteKey> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const key = witnessKey(name, nodeSigner(privateKey))
  const created: string[] = []
  const at = (file: string): string => {
    created.push(join(folder, file))
    return join(folder, file)
  }
  try {
    await makeFolder(folder)
    if (readdirSync(folder).length > 0) throw new InputError(`${folder} is not empty. Choose a new folder.`)
    writeNewFile(
      at(KEY),
      privateKey.export({ type: 'pkcs8', format: 'pem', ...keyEncryption(passphrase) }),
      0o600,
    )
    writeNewFile(at(VKEY), `${vkey(key)}\n`)
    createWitnessStore(at(DATABASE), name, key.publicKey)
    return key
  } catch (error) {
    for (const file of created) rmSync(file, { force: true })
    if (error instanceof InputError) throw error
    throw new InputError(`cannot create a witness in ${folder}: ${describeError(error)}`)
  }
}

/** Throws InputError. A folder without a database is refused: a witness that forgot a log could cosign a second history. */
export function openWitnessFolder(folder: string, passphrase: string | undefined): WitnessFolder {
  const file = join(folder, DATABASE)
  if (!existsSync(file))
    throw new InputError(`${folder} contains no witness. Create one with "kitseal witness init".`)
  const signer = readSigner(join(folder, KEY), passphrase)
  const store = openStore(file)
  const key = witnessKey(store.name, signer)
  if (Buffer.compare(key.publicKey, store.publicKey) !== 0) {
    store[Symbol.dispose]()
    throw new InputError(`${join(folder, KEY)} is not the key that ${file} was created with`)
  }
  return { key, signer, store, [Symbol.dispose]: () => store[Symbol.dispose]() }
}

function witnessKey(name: string, { x }: NodeSigner): NoteKey {
  try {
    return noteKey(name, ED25519_COSIGNATURE, fromBase64url(x) ?? new Uint8Array(0), nodeHost.digest)
  } catch (error) {
    if (error instanceof LogFormatError) throw new InputError(error.message)
    throw error
  }
}

function readSigner(path: string, passphrase: string | undefined): NodeSigner {
  try {
    return readPrivateKey(path, { passphrase })
  } catch (error) {
    const advice = error instanceof KeyFileError && error.problem !== 'not_a_key'
    throw new InputError(
      `cannot read ${path}: ${describeError(error)}${advice ? '. Set KITSEAL_KEY_PASSPHRASE.' : ''}`,
    )
  }
}

function openStore(file: string): WitnessStore {
  try {
    return openWitnessStore(file)
  } catch (error) {
    if (error instanceof WitnessStoreError) throw new InputError(error.message)
    throw new InputError(`cannot open ${file}: ${describeError(error)}`)
  }
}
