// Two simple zip readers: one trusts the central directory, one the local headers. Neither checks anything. Archives
// that kitseal accepts must look the same to both.
import { inflateRawSync } from 'node:zlib'

export type Contents = ReadonlyMap<string, Buffer>

/** Files by the central directory, as Python and Info-ZIP read them; undefined if this reader cannot. */
export function readByDirectory(zip: Uint8Array): Contents | undefined {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.length)
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  return attempt(() => {
    const found = new Map<string, Buffer>()
    let at = bytes.readUInt32LE(end + 16)
    for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
      if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error('no entry')
      const nameBytes = bytes.readUInt16LE(at + 28)
      const name = bytes.toString('utf8', at + 46, at + 46 + nameBytes)
      const local = bytes.readUInt32LE(at + 42)
      const dataAt = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
      const data = exactly(bytes, dataAt, bytes.readUInt32LE(at + 20))
      if (!name.endsWith('/')) found.set(name, unpacked(bytes.readUInt16LE(at + 10), data))
      at += 46 + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    }
    return found
  })
}

/** Files by the local headers, as a streaming reader reads them; undefined if this reader cannot. */
export function readByStream(zip: Uint8Array): Contents | undefined {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.length)
  return attempt(() => {
    const found = new Map<string, Buffer>()
    let at = 0
    while (bytes.readUInt32LE(at) === 0x04034b50) {
      const [flags, method] = [bytes.readUInt16LE(at + 6), bytes.readUInt16LE(at + 8)]
      const nameBytes = bytes.readUInt16LE(at + 26)
      const name = bytes.toString('utf8', at + 30, at + 30 + nameBytes)
      const dataAt = at + 30 + nameBytes + bytes.readUInt16LE(at + 28)
      const stated = bytes.readUInt32LE(at + 18)
      const late = (flags & 8) !== 0 && stated === 0
      const length = late ? lateLength(bytes, dataAt, method) : stated
      const data = exactly(bytes, dataAt, length)
      if (!name.endsWith('/') && !found.has(name)) found.set(name, unpacked(method, data))
      at = dataAt + length + ((flags & 8) === 0 ? 0 : descriptorLength(bytes, dataAt + length))
    }
    return found
  })
}

function attempt(read: () => Contents): Contents | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function exactly(bytes: Buffer, at: number, length: number): Buffer {
  if (at + length > bytes.length) throw new Error('unexpected end')
  return bytes.subarray(at, at + length)
}

function unpacked(method: number, data: Buffer): Buffer {
  if (method === 0) return data
  if (method === 8) return inflateRawSync(data, { maxOutputLength: 1 << 24 })
  throw new Error(`method ${method}`)
}

/** Deflated data marks its end; stored data ends at the first descriptor with the matching byte count. */
function lateLength(bytes: Buffer, from: number, method: number): number {
  if (method === 8) {
    const { engine } = inflateRawSync(bytes.subarray(from), {
      info: true,
      maxOutputLength: 1 << 24,
    }) as unknown as {
      readonly engine: { readonly bytesWritten: number }
    }
    return engine.bytesWritten
  }
  const signature = Buffer.from('PK\x07\x08', 'latin1')
  for (let at = bytes.indexOf(signature, from); at !== -1; at = bytes.indexOf(signature, at + 1))
    if (bytes.readUInt32LE(at + 8) === at - from) return at - from
  throw new Error('no descriptor')
}

function descriptorLength(bytes: Buffer, at: number): number {
  const signed = bytes.readUInt32LE(at) === 0x08074b50 ? 4 : 0
  const next = (length: number): boolean =>
    [0x04034b50, 0x02014b50].includes(bytes.readUInt32LE(at + signed + length))
  return signed + (next(12) ? 12 : 20)
}
