const TABLES = makeTables()

/** CRC-32 (ISO 3309), eight bytes per step, for browsers. `seed` is the CRC-32 of the preceding bytes. */
export function crc32(bytes: Uint8Array, seed = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES as Tables
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const whole = bytes.length - (bytes.length % 8)
  let crc = ~seed
  let at = 0
  for (; at < whole; at += 8) {
    const low = view.getUint32(at, true) ^ crc
    const high = view.getUint32(at + 4, true)
    crc =
      t7[low & 255]! ^
      t6[(low >>> 8) & 255]! ^
      t5[(low >>> 16) & 255]! ^
      t4[low >>> 24]! ^
      t3[high & 255]! ^
      t2[(high >>> 8) & 255]! ^
      t1[(high >>> 16) & 255]! ^
      t0[high >>> 24]!
  }
  for (; at < bytes.length; at++) crc = t0[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8)
  return ~crc >>> 0
}

type Tables = readonly [Table, Table, Table, Table, Table, Table, Table, Table]
type Table = Uint32Array

function makeTables(): readonly Table[] {
  const first = new Uint32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
    first[byte] = crc
  }
  const tables = [first]
  while (tables.length < 8) tables.push(tables.at(-1)!.map((crc) => (crc >>> 8) ^ first[crc & 255]!))
  return tables
}
