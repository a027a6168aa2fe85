import {
  isJsonObject,
  type JsonValue,
  parsePin,
  parseStrictJson,
  type Pin,
  utf8,
} from '@kitseal/kit/internal'
import { Refusal } from '../refusals.ts'

/** A key that a workspace pins for another issuer, as in a trust store. */
export interface StoredPin {
  readonly issuer: string
  readonly kid: string
  readonly created_at: string
  readonly key?: Pin['key']
}

export function pinsOf({ pins }: { readonly pins: string | null }): readonly StoredPin[] {
  return pins === null ? [] : (JSON.parse(pins) as readonly StoredPin[])
}

/** Checks what a caller sends. A key must have the ID beside it. */
export function readPins(values: readonly object[], now: string): readonly StoredPin[] {
  return values.map((value, index) => {
    const json: JsonValue = parseStrictJson(utf8(JSON.stringify(value)))
    const pin = isJsonObject(json) ? parsePin(json) : undefined
    if (pin === undefined)
      throw new Refusal('body_invalid', `data[${index}].key does not have this key ID.`, {
        param: `data[${index}].key`,
      })
    const createdAt = isJsonObject(json) ? json['created_at'] : undefined
    const { kid, issuer, key } = pin
    const at = typeof createdAt === 'string' ? createdAt : now
    return { issuer, kid, created_at: at, ...(key === undefined ? {} : { key }) }
  })
}

export const pinsColumn = (pins: readonly StoredPin[]) => ({
  pins: pins.length === 0 ? null : JSON.stringify(pins),
})

/** For the audit log. */
export function pinDetails(pins: readonly StoredPin[]) {
  const issuers = [...new Set(pins.map(({ issuer }) => issuer))].slice(0, 20)
  return { pinned_keys: pins.length, pinned_issuers: issuers.join(' ') }
}
