import { createHash } from 'node:crypto'

/** Changed copies of a time-stamp, the same in every run: flipped bits, other bytes, removed and repeated parts. */
export function* mutationsOf(original: Uint8Array, count: number, seed = ''): Generator<Uint8Array> {
  for (let at = 0; at < count; at++) {
    const random = createHash('sha256').update(`time-stamp mutation ${seed} ${at}`).digest()
    const position = random.readUInt32BE(0) % original.length
    const length = 1 + (random[4]! % 16)
    const bytes = Buffer.from(original)
    const kind = random[5]! % 6
    if (kind <= 1) bytes[position]! ^= 1 << (random[6]! % 8)
    if (kind === 2) bytes[position] = random[7]!
    if (kind <= 2) yield bytes
    else if (kind === 3) yield Buffer.concat([bytes.subarray(0, position), bytes.subarray(position + length)])
    else if (kind === 4) yield Buffer.concat([bytes.subarray(0, position + length), bytes.subarray(position)])
    else
      yield Buffer.concat([
        bytes.subarray(0, position),
        random.subarray(8, 8 + length),
        bytes.subarray(position),
      ])
  }
}
