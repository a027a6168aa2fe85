import { crc32, deflateRawSync } from 'node:zlib'
import { type Entry, extraField, type Header, u32, u64, zip64EndBytes } from '../../forge/archive.ts'
import { type Construction, entry, text, whole } from './construction.ts'

const local = (name: string, lie: (header: Header) => Partial<Header>): Construction =>
  entry(`a local header with another ${name}`, (victim) => (victim.local = lie(victim.header)))

const central = (name: string, lie: (header: Header) => Partial<Header>): Construction =>
  entry(`a directory with another ${name}`, (victim) => (victim.central = lie(victim.header)))

/** The two headers of an entry disagree: stream readers and directory readers see different entries. */
export const conflictingHeaders: readonly Construction[] = [
  local('name', ({ name }) => ({ name: Buffer.concat([name, text('x')]) })),
  local('name of the same length', ({ name }) => ({
    name: Uint8Array.from(name, (byte, at) => (at === name.length - 1 ? byte ^ 1 : byte)),
  })),
  local('name in upper case', ({ name }) => ({ name: text(Buffer.from(name).toString().toUpperCase()) })),
  local('method', ({ method }) => ({ method: method === 0 ? 8 : 0 })),
  local('size', ({ sizeBytes }) => ({ sizeBytes: sizeBytes - 1 })),
  local('compressed size', ({ compressedBytes }) => ({ compressedBytes: compressedBytes - 1 })),
  local('pair of sizes', () => ({ compressedBytes: 0, sizeBytes: 0 })),
  local('CRC-32', ({ crc32: value }) => ({ crc32: value ^ 1 })),
  local('encryption flag', ({ flags }) => ({ flags: flags | 1 })),
  local('UTF-8 flag', ({ flags }) => ({ flags: flags ^ 0x0800 })),
  local('descriptor flag', ({ flags }) => ({ flags: flags | 8 })),
  central('name', ({ name }) => ({ name: Buffer.concat([name, text('x')]) })),
  central('method', ({ method }) => ({ method: method === 0 ? 8 : 0 })),
  central('size', ({ sizeBytes }) => ({ sizeBytes: sizeBytes + 1 })),
  central('pair of smaller sizes', ({ sizeBytes, compressedBytes }) => ({
    sizeBytes: sizeBytes - 2,
    compressedBytes: compressedBytes - 2,
  })),
  central('CRC-32', ({ crc32: value }) => ({ crc32: value ^ 1 })),
  entry('a CRC-32 that is wrong in both headers', (victim) => (victim.header.crc32 ^= 1)),
  entry('a CRC-32 of zero in both headers', (victim) => (victim.header.crc32 = 0)),
  entry('a size that is wrong in both headers', (victim) => (victim.header.sizeBytes += 1)),
  entry('a data descriptor that disagrees', (victim) =>
    described(victim, [victim.header.crc32, victim.header.compressedBytes, victim.header.sizeBytes + 1]),
  ),
  entry('a data descriptor with another CRC-32', (victim) =>
    described(victim, [victim.header.crc32 ^ 1, victim.header.compressedBytes, victim.header.sizeBytes]),
  ),
  entry(
    'a data descriptor that nothing announces',
    (victim) =>
      (victim.after = u32(
        0x08074b50,
        victim.header.crc32,
        victim.header.compressedBytes,
        victim.header.sizeBytes,
      )),
  ),
  entry('an announced data descriptor that is not there', (victim) => (victim.header.flags |= 8)),
  entry('two data descriptors', (victim) => {
    described(victim, [victim.header.crc32, victim.header.compressedBytes, victim.header.sizeBytes])
    victim.after = Buffer.concat([victim.after!, victim.after!])
  }),
  entry('stored data with a descriptor inside', (victim) => {
    const first = text('first')
    const inner = u32(0x08074b50, crc32(first), first.length, first.length)
    const data = Buffer.concat([first, inner, text('the rest of it')])
    victim.data = data
    Object.assign(victim.header, {
      method: 0,
      crc32: crc32(data),
      compressedBytes: data.length,
      sizeBytes: data.length,
    })
    described(victim, [crc32(data), data.length, data.length])
  }),
  entry('deflated data with more behind its end', (victim) => {
    const data = Buffer.concat([deflateRawSync(Buffer.from('first')), deflateRawSync(Buffer.from('second'))])
    victim.data = data
    Object.assign(victim.header, {
      method: 8,
      crc32: crc32(text('first')),
      compressedBytes: data.length,
      sizeBytes: 5,
    })
  }),
  entry('deflated data that is cut short', (victim) => {
    const data = deflateRawSync(Buffer.from('a text that is long enough to be cut')).subarray(0, -4)
    victim.data = data
    Object.assign(victim.header, { method: 8, compressedBytes: data.length })
  }),
  entry(
    'a zip64 field without need that says another size',
    (victim) => (victim.central = { extra: extraField(1, u64(1, 1)) }),
  ),
  entry('a zip64 field with another size than the header', (victim) => {
    victim.header.extra = extraField(1, u64(victim.header.sizeBytes + 1, victim.header.compressedBytes))
    Object.assign(victim, { local: saturated, central: saturated })
  }),
  entry('a zip64 field in the directory alone', (victim) => {
    victim.central = { ...saturated, extra: extraField(1, u64(1, 1)) }
  }),
  entry('two zip64 fields', (victim) => {
    const { sizeBytes, compressedBytes } = victim.header
    victim.header.extra = Buffer.concat([
      extraField(1, u64(sizeBytes, compressedBytes)),
      extraField(1, u64(1, 1)),
    ])
    Object.assign(victim, { local: saturated, central: saturated })
  }),
  entry(
    'an extra field that is longer than the header says',
    (victim) => (victim.header.extra = Buffer.from([1, 0, 255, 255])),
  ),
  entry('an offset into another entry', (victim) => (victim.central = { offset: 0 })),
  entry('an offset into the data of the entry before it', (victim, archive) => {
    const at = archive.entries.indexOf(victim)
    if (at > 0) victim.central = { offset: 35 }
    else victim.central = { offset: 1 }
  }),
  whole(
    'a zip64 end record that counts otherwise',
    (archive) => (archive.zip64 = (end) => zip64EndBytes(end, { count: end.count - 1 })),
  ),
  whole(
    'a zip64 end record of another length',
    (archive) => (archive.zip64 = (end) => zip64EndBytes(end, { size: 45 })),
  ),
  whole(
    'a zip64 locator that leads elsewhere',
    (archive) => (archive.zip64 = (end) => zip64EndBytes(end, { locator: 0 })),
  ),
]

const saturated = { sizeBytes: 0xffffffff, compressedBytes: 0xffffffff }

function described(victim: Entry, values: readonly number[]): void {
  victim.header.flags |= 8
  victim.local = { crc32: 0, compressedBytes: 0, sizeBytes: 0 }
  victim.after = u32(0x08074b50, ...values.map((value) => value >>> 0))
}
