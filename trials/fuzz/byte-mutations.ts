import type { Dice } from '../dice.ts'

const TELLING = ['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06', 'PK\x06\x06', 'PK\x06\x07', 'PK\x07\x08'].map(
  (text) => Buffer.from(text, 'latin1'),
)

/** Damage that knows nothing of the format but its signatures. */
export function damagedBytes(original: Uint8Array, dice: Dice): Buffer {
  let bytes = Buffer.from(original)
  for (let times = 1 + dice.below(3); times > 0 && bytes.length > 0; times--) bytes = damage(bytes, dice)
  return bytes
}

function damage(bytes: Buffer, dice: Dice): Buffer<ArrayBuffer> {
  const at = dice.below(bytes.length)
  const copy = Buffer.from(bytes)
  switch (dice.below(8)) {
    case 0:
      copy[at] = dice.below(256)
      return copy
    case 1:
      copy[at] = (copy[at] ?? 0) ^ (1 << dice.below(8))
      return copy
    case 2:
      return copy.fill(dice.pick([0, 255]), at, Math.min(copy.length, at + 1 + dice.below(8)))
    case 3:
      bytes.copy(copy, dice.below(bytes.length), at, at + dice.below(64))
      return copy
    case 4:
      return copy.subarray(0, at)
    case 5:
      return Buffer.concat([copy.subarray(0, at), dice.bytes(1 + dice.below(40)), copy.subarray(at)])
    case 6:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + 1 + dice.below(40))])
    default:
      dice.pick(TELLING).copy(copy, at)
      return copy
  }
}
