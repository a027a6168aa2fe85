import { share } from './own-memory.ts'

/** What is no larger is held in memory until it is kept: it then takes one request instead of four. */
const SMALL_BYTES = 1024 * 1024
/** Of all uploads of this process together. */
const HELD_BYTES = 64 * 1024 * 1024

export interface HeldMemory {
  bytes: number
}

export const heldMemory = (): HeldMemory => ({ bytes: 0 })

export type Gathered =
  | { readonly is: 'small'; readonly bytes: Uint8Array; readonly release: () => void }
  | { readonly is: 'large'; readonly content: AsyncIterable<Uint8Array> }

/** Reads on until the end, or until it is too much to be held. */
export async function gatherSmall(
  content: AsyncGenerator<Uint8Array>,
  memory: HeldMemory,
): Promise<Gathered> {
  const parts: Uint8Array[] = []
  let length = 0
  for (;;) {
    const next = await content.next()
    if (next.done === true) break
    parts.push(new Uint8Array(next.value))
    length += next.value.length
    if (length > SMALL_BYTES || memory.bytes + length > HELD_BYTES)
      return { is: 'large', content: continued(parts, content) }
  }
  memory.bytes += length
  let held = true
  const release = (): void => {
    if (held) memory.bytes -= length
    held = false
  }
  return { is: 'small', bytes: Buffer.concat(parts, length), release }
}

async function* continued(parts: Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) yield part
  // They are held until they were sent, which is longer than they are lent.
  for await (const piece of rest) yield share(piece)
}
