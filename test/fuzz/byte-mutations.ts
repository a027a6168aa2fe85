import type { SeededRandom } from '../kit/seeded-random.ts'

const TELLING = ['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06', 'PK\x06\x06', 'PK\x06\x07', 'PK\x07\x08'].map(
  (text) => Buffer.from(text, 'latin1'),
)

/** Damage that knows only the signatures of the format. */
export function damagedBytes(original: Uint8Array, random: SeededRandom): Buffer {
  let bytes = Buffer.from(original)
  for (let times = 1 + random.below(3); times > 0 && bytes.length > 0; times--) bytes = damage(bytes, random)
  return bytes
}

function damage(bytes: Buffer, random: SeededRandom): Buffer<ArrayBuffer> {
  const at = random.below(bytes.length)
  const copy = Buffer.from(bytes)
  switch (random.below(8)) {
    case 0:
      copy[at] = random.below(256)
      return copy
    case 1:
      copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8))
      return copy
    case 2:
      return copy.fill(random.pick([0, 255]), at, Math.min(copy.length, at + 1 + random.below(8)))
    case 3:
      bytes.copy(copy, random.below(bytes.length), at, at + random.below(64))
      return copy
    case 4:
      return copy.subarray(0, at)
    case 5:
      return Buffer.concat([copy.subarray(0, at), random.bytes(1 + random.below(40)), copy.subarray(at)])
    case 6:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + 1 + random.below(40))])
    default:
      random.pick(TELLING).copy(copy, at)
      return copy
  }
}
