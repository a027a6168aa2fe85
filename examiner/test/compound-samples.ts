// Compound Files, VBA projects and Outlook messages, generated so that no binary fixtures are needed.

/** Streams and storages by their names. */
export interface Storage {
  readonly [name: string]: string | Uint8Array | Storage
}

interface Row {
  readonly name: string
  readonly kind: number
  readonly content: Buffer
  child: number
  right: number
}

const [END, FREE, TABLE, NONE] = [0xfffffffe, 0xffffffff, 0xfffffffd, 0xffffffff]
const padded = (bytes: Buffer, to: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)])

/** A Compound File with a valid tree, streams in small and in large sectors. */
export function compound(storage: Storage, classId = ''): Buffer {
  const rows: Row[] = [{ name: 'Root Entry', kind: 5, content: Buffer.alloc(0), child: NONE, right: NONE }]
  addRows(rows, 0, storage)
  const small: Buffer[] = []
  const smallTable: number[] = []
  const large: { row: Row | undefined; bytes: Buffer; first: number }[] = []
  const firsts = rows.map(({ content, kind }, index) => {
    if (kind !== 2 || content.length === 0) return END
    if (content.length >= 4096) {
      large.push({ row: rows[index], bytes: padded(content, 512), first: 0 })
      return -large.length
    }
    const first = smallTable.length
    const count = Math.ceil(content.length / 64)
    for (let at = 1; at <= count; at++) smallTable.push(at === count ? END : first + at)
    small.push(padded(content, 64))
    return first
  })
  const directory = Buffer.alloc(Math.ceil(rows.length / 4) * 512)
  const smallContent = Buffer.concat(small)
  const chains = [
    directory,
    padded(Buffer.from(Uint32Array.from(smallTable).buffer), 512),
    padded(smallContent, 512),
    ...large.map(({ bytes }) => bytes),
  ]
  const dataSectors = chains.reduce((sum, { length }) => sum + length / 512, 0)
  const tableSectors = Math.ceil(dataSectors / 127)
  const table: number[] = Array.from({ length: tableSectors }, () => TABLE)
  const starts = chains.map(({ length }) => {
    const first = table.length
    const count = length / 512
    for (let at = 1; at <= count; at++) table.push(at === count ? END : first + at)
    return count === 0 ? END : first
  })
  for (const [index, { name, kind, content, child, right }] of rows.entries()) {
    const at = index * 128
    directory.write(name, at, 'utf16le')
    directory.writeUInt16LE(name.length * 2 + 2, at + 64)
    directory[at + 66] = kind
    directory[at + 67] = 1
    directory.writeUInt32LE(NONE, at + 68)
    directory.writeUInt32LE(right, at + 72)
    directory.writeUInt32LE(child, at + 76)
    const first = firsts[index] as number
    directory.writeUInt32LE(
      index === 0 ? (starts[2] as number) : first < 0 ? (starts[2 - first] as number) : first,
      at + 116,
    )
    directory.writeUInt32LE(index === 0 ? smallContent.length : content.length, at + 120)
  }
  Buffer.from(classId, 'hex').copy(directory, 80)
  const header = Buffer.alloc(512, 0xff)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.fill(0, 8, 76)
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  header.writeUInt32LE(tableSectors, 44)
  header.writeUInt32LE(starts[0] as number, 48)
  header.writeUInt32LE(4096, 56)
  header.writeUInt32LE(starts[1] as number, 60)
  header.writeUInt32LE(END, 68)
  for (let index = 0; index < tableSectors; index++) header.writeUInt32LE(index, 76 + index * 4)
  while (table.length % 128 !== 0) table.push(FREE)
  return Buffer.concat([header, Buffer.from(Uint32Array.from(table).buffer), ...chains])
}

function addRows(rows: Row[], parent: number, storage: Storage): void {
  let previous: Row | undefined
  for (const [name, value] of Object.entries(storage)) {
    const isStream = typeof value === 'string' || value instanceof Uint8Array
    const index = rows.length
    const row = {
      name,
      kind: isStream ? 2 : 1,
      content: isStream ? Buffer.from(value) : Buffer.alloc(0),
      child: NONE,
      right: NONE,
    }
    rows.push(row)
    if (previous === undefined) (rows[parent] as Row).child = index
    else previous.right = index
    previous = row
    if (!isStream) addRows(rows, index, value as Storage)
  }
}

/** [MS-OVBA] 2.4.1, with literals only. */
export function vbaCompressed(text: string): Buffer {
  const chunks: Buffer[] = [Buffer.of(1)]
  const bytes = Buffer.from(text, 'latin1')
  for (let at = 0; at < bytes.length; at += 3600) {
    const part = bytes.subarray(at, at + 3600)
    const groups: Buffer[] = []
    for (let from = 0; from < part.length; from += 8) groups.push(Buffer.of(0), part.subarray(from, from + 8))
    const data = Buffer.concat(groups)
    const header = Buffer.alloc(2)
    header.writeUInt16LE(0xb000 | (data.length - 1))
    chunks.push(header, data)
  }
  return Buffer.concat(chunks)
}

const record = (id: number, data: Buffer): Buffer => {
  const header = Buffer.alloc(6)
  header.writeUInt16LE(id)
  header.writeUInt32LE(data.length, 2)
  return Buffer.concat([header, data])
}
const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer)

/** The storages of a VBA project with modules. `compiled` is what comes before the source. */
export function vbaProject(
  modules: Readonly<Record<string, string>>,
  compiled: Uint8Array = Buffer.alloc(40),
): Storage {
  const sources = Object.entries(modules).map(([name, code]) => [
    name,
    Buffer.concat([compiled, vbaCompressed(`Attribute VB_Name = "${name}"\r\n${code}`)]),
  ])
  const directory = Object.keys(modules).map((name) =>
    Buffer.concat([record(0x1a, Buffer.from(name)), record(0x31, u32(compiled.length))]),
  )
  const version = Buffer.concat([record(0x09, u32(1)), Buffer.alloc(2)])
  return {
    VBA: {
      dir: vbaCompressed(Buffer.concat([record(0x01, u32(1)), version, ...directory]).toString('latin1')),
      _VBA_PROJECT: Buffer.from('cc61ffff000000', 'hex'),
      ...Object.fromEntries(sources),
    },
    PROJECT: 'ID="{0}"\r\n',
  }
}

export const CODE = 'Option Explicit\r\nSub AutoOpen()\r\n  Shell "calc"\r\nEnd Sub\r\n'
export const vbaBin = (code: string = CODE): Buffer => compound(vbaProject({ ThisDocument: code }))

/** A file that was dragged into a document. */
export function ole10Native(name: string, content: string | Uint8Array): Buffer {
  const path = `C:\\Temp\\${name}\0`
  const body = Buffer.concat([
    Buffer.of(2, 0),
    Buffer.from(`${name}\0${path}`, 'latin1'),
    Buffer.of(0, 0, 3, 0),
    u32(path.length),
    Buffer.from(path, 'latin1'),
    u32(content.length),
    Buffer.from(content),
  ])
  return Buffer.concat([u32(body.length), body])
}

export const olePackage = (name: string, content: string | Uint8Array): Buffer =>
  compound({ '\u0001CompObj': 'x', '\u0001Ole10Native': ole10Native(name, content) })

/** An Outlook message with attachments, with names in UTF-16 or in 8 bits. */
export function outlookMessage(
  files: Readonly<Record<string, string | Uint8Array>>,
  isWide = true,
  compressedRtf?: Uint8Array,
): Buffer {
  const attached = Object.entries(files).map(([name, content], index): [string, Storage] => [
    `__attach_version1.0_#0000000${index}`,
    {
      '__properties_version1.0': Buffer.alloc(32),
      '__substg1.0_37010102': Buffer.from(content),
      [isWide ? '__substg1.0_3707001F' : '__substg1.0_3707001E']: Buffer.from(
        name,
        isWide ? 'utf16le' : 'latin1',
      ),
    },
  ])
  return compound({
    '__properties_version1.0': Buffer.alloc(32),
    '__substg1.0_0037001F': 'x',
    ...(compressedRtf === undefined ? {} : { '__substg1.0_10090102': compressedRtf }),
    ...Object.fromEntries(attached),
  })
}

/** An Office file with a password, as far as its streams show. */
export function encryptedOffice(): Buffer {
  const noise = Buffer.from(
    Array.from({ length: 5000 }, (_, index) => Math.imul(index + 7, 2654435761) >>> 24),
  )
  return compound({
    EncryptionInfo: Buffer.concat([
      Buffer.from('0400040040000000', 'hex'),
      Buffer.from('<encryption xmlns="x"/>'),
    ]),
    EncryptedPackage: Buffer.concat([Buffer.alloc(8, 1), noise]),
  })
}

/** A OneNote section with one file in it. */
export function oneNote(name: string, content: string | Uint8Array): Buffer {
  const length = Buffer.alloc(8)
  length.writeUInt32LE(content.length)
  const wide = Buffer.from(`${name}\0`, 'utf16le')
  return Buffer.concat([
    Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex'),
    Buffer.alloc(3000, 1),
    u32(wide.length),
    wide,
    Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex'),
    length,
    Buffer.alloc(12),
    Buffer.from(content),
    Buffer.from('22a7fb711f6b9c4ab21acd0d54a0f0d2'.slice(0, 32), 'hex'),
  ])
}
