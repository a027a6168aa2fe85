import { readFileSync } from 'node:fs'
import { type KeySet, parseJwks, parseStrictJson } from '@kitseal/kit'

export class UnreadableInput extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnreadableInput'
  }
}

const FETCH_TIMEOUT_MS = 20_000
const MAX_BYTES = 4 * 1024 * 1024

/** A key set from a file, or from an address: the only thing that ever makes a network call, and only when it is given. */
export async function readKeySet(place: string): Promise<KeySet> {
  const bytes = isAddress(place) ? await fetchBytes(place) : readBytes(place)
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

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new UnreadableInput(`${path} cannot be read: ${reason(error)}`)
  }
}

async function fetchBytes(address: string): Promise<Uint8Array> {
  try {
    const response = await fetch(address, {
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      redirect: 'error',
    })
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (bytes.length > MAX_BYTES) throw new Error('it is too large')
    return bytes
  } catch (error) {
    throw new UnreadableInput(`${address} cannot be fetched: ${reason(error)}`)
  }
}

/** The system's words for a file, without the path that the caller has named already. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { code?: string }
  if (code === 'ENOENT') return 'there is no such file or folder'
  if (code === 'EACCES') return 'permission denied'
  if (code === 'EISDIR') return 'it is a folder'
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
