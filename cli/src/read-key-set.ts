import { type KeySet, parseJwks, parseStrictJson } from '@kitseal/kit'
import { readSmallFile } from '@kitseal/kit/node'
import { reading, reason, UnreadableInput } from './unreadable-input.ts'

const FETCH_TIMEOUT_MS = 20_000
const KEY_SET = { what: 'a key set', limitMiB: 4 }
const LIMIT_BYTES = KEY_SET.limitMiB * 1024 * 1024

/** A key set from a file, or from an address: the only thing that ever makes a network call, and only when it is given. */
export async function readKeySet(place: string): Promise<KeySet> {
  const bytes = isAddress(place)
    ? await fetchBytes(place)
    : await reading(place, () => readSmallFile(place, KEY_SET))
  const parsed = parseJson(place, bytes)
  if (!parsed.ok) throw new UnreadableInput(`${place} is no key set: ${parsed.problems.join('; ')}`)
  return parsed.value
}

export function isAddress(place: string): boolean {
  return /^https?:\/\//i.test(place)
}

function parseJson(place: string, bytes: Uint8Array): ReturnType<typeof parseJwks> {
  try {
    return parseJwks(parseStrictJson(bytes))
  } catch (error) {
    throw new UnreadableInput(
      `${place} is no key set: ${error instanceof Error ? error.message : 'not JSON'}`,
    )
  }
}

async function fetchBytes(address: string): Promise<Uint8Array> {
  const request = new AbortController()
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)])
  try {
    const response = await fetch(address, { signal, redirect: 'error' })
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    const parts: Uint8Array[] = []
    let total = 0
    for await (const part of response.body ?? []) {
      total += part.length
      if (total > LIMIT_BYTES)
        throw new Error(`it is larger than ${KEY_SET.limitMiB} MiB, too large for a key set`)
      parts.push(part)
    }
    return Buffer.concat(parts)
  } catch (error) {
    throw new UnreadableInput(
      `${address} cannot be fetched: ${reason(error)}; fetch it yourself, and give the file`,
    )
  } finally {
    // What is left of an answer is not waited for.
    request.abort()
  }
}
