import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  isJsonObject,
  type JsonValue,
  parseJwks,
  parseStrictJson,
  type Pin,
  type PublicJwk,
} from '@kitseal/kit'
import { configFolder } from './config-folder.ts'
import { describeError, InputError } from './input-error.ts'

/** A key pinned for one issuer. */
export interface StoredPin extends Pin {
  readonly addedAt: string
}

export const TRUST_VERSION = 1

export function trustStorePath(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['KITSEAL_TRUST_STORE']
  if (named !== undefined && named !== '') return named
  return join(configFolder(env), 'kitseal', 'trust.json')
}

/** The pinned keys. A missing store is empty; an unreadable one is an error. */
export function readTrustStore(path: string): readonly StoredPin[] {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return []
    throw new InputError(`cannot read the trust store ${path}: ${describeError(error)}`)
  }
  const pins = parsePins(bytes)
  if (pins === undefined) throw new InputError(`the trust store ${path} is damaged. Fix it or delete it.`)
  return pins
}

function parsePins(bytes: Uint8Array): readonly StoredPin[] | undefined {
  try {
    const store = parseStrictJson(bytes)
    if (!isJsonObject(store) || store['trust_version'] !== TRUST_VERSION || !Array.isArray(store['pins']))
      return undefined
    const pins = (store['pins'] as readonly JsonValue[]).map(parsePin)
    return pins.every((pin) => pin !== undefined) ? pins : undefined
  } catch {
    return undefined
  }
}

function parsePin(value: JsonValue): StoredPin | undefined {
  if (!isJsonObject(value)) return undefined
  const { kid, issuer, added_at: addedAt, key } = value
  if (typeof kid !== 'string' || typeof issuer !== 'string' || typeof addedAt !== 'string') return undefined
  if (key === undefined) return { kid, issuer, addedAt }
  const parsed = storedKey(key)
  return parsed?.kid === kid ? { kid, issuer, addedAt, key: parsed } : undefined
}

function storedKey(value: JsonValue): PublicJwk | undefined {
  const parsed = parseJwks({ keys: [value] })
  return parsed.ok ? parsed.value.keys[0] : undefined
}
