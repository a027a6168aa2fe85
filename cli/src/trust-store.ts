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
import { reason, UnreadableInput } from './unreadable-input.ts'

/** A key that its user has pinned for one issuer. */
export interface StoredPin extends Pin {
  readonly addedAt: string
}

export const TRUST_VERSION = 1

export function trustStorePath(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['KITSEAL_TRUST_STORE']
  if (named !== undefined && named !== '') return named
  return join(configFolder(env), 'kitseal', 'trust.json')
}

/** The pinned keys; none where there is no store yet. A store that cannot be read is an error, never an empty one. */
export function readTrustStore(path: string): readonly StoredPin[] {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return []
    throw new UnreadableInput(`the trust store ${path} cannot be read: ${reason(error)}`)
  }
  const pins = parsePins(bytes)
  if (pins === undefined)
    throw new UnreadableInput(`the trust store ${path} is damaged: mend it or move it away`)
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
