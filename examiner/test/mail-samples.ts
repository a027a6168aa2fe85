// Messages with attachments in every encoding.

export const MAIL_HEADER =
  'From: a@example.com\r\nTo: b@example.com\r\nDate: Mon, 1 Jun 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n'

export const ENCODERS = {
  base64: (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
  'quoted-printable': (bytes: Uint8Array) =>
    Array.from(bytes, (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join('')
      .replaceAll(/.{72}/g, '$&=\r\n'),
  'x-uuencode': (bytes: Uint8Array) => uuencoded(bytes),
}

const letter = (value: number): string => String.fromCharCode(32 + (value & 63))

export function uuencoded(bytes: Uint8Array, name = 'a.bin'): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += 45) {
    const part = Buffer.concat([bytes.subarray(at, at + 45), Buffer.alloc(2)])
    const length = Math.min(45, bytes.length - at)
    let line = letter(length)
    for (let index = 0; index < length; index += 3) {
      const bits = part.readUIntBE(index, 3)
      line += letter(bits >> 18) + letter(bits >> 12) + letter(bits >> 6) + letter(bits)
    }
    lines.push(line)
  }
  return `begin 644 ${name}\r\n${lines.join('\r\n')}\r\n\`\r\nend`
}

export function message(
  content: Uint8Array,
  { encoding = 'base64' as keyof typeof ENCODERS, name = 'report.pdf', boundary = '=_b 1' } = {},
): string {
  return `${MAIL_HEADER}Content-Type: multipart/mixed;\r\n boundary="${boundary}"\r\n\r\n--${boundary}\r\nContent-Type: text/plain\r\n\r\nSee below.\r\n-- \r\nA\r\n--${boundary}\r\nContent-Type: application/octet-stream; name="${name}"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${ENCODERS[encoding](content)}\r\n--${boundary}--\r\n`
}

const u16 = (value: number): Buffer => Buffer.from(Uint16Array.of(value).buffer)
const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer)

/** winmail.dat with one attached file, with its long name in UTF-16 or only a title. */
export function tnef(
  name: string,
  content: string | Uint8Array,
  isWide: boolean,
  compressedRtf?: Uint8Array,
): Buffer {
  const attribute = (level: number, id: number, data: Uint8Array): Buffer =>
    Buffer.concat([Buffer.of(level), u32(id), u32(data.length), data, u16(0)])
  const wide = Buffer.from(`${name}\0`, 'utf16le')
  const properties = Buffer.concat([
    u32(2),
    u16(0x03),
    u16(0x0e20),
    u32(9),
    u16(0x1f),
    u16(0x3707),
    u32(1),
    u32(wide.length),
    wide,
    Buffer.alloc((4 - (wide.length % 4)) % 4),
  ])
  const body = compressedRtf ?? Buffer.alloc(0)
  const padding = Buffer.alloc((4 - (body.length % 4)) % 4)
  const bodies = Buffer.concat([u32(1), u16(0x102), u16(0x1009), u32(1), u32(body.length), body, padding])
  return Buffer.concat([
    u32(0x223e9f78),
    u16(1),
    attribute(1, 0x00089006, u32(0x10000)),
    ...(compressedRtf === undefined ? [] : [attribute(1, 0x00069003, bodies)]),
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, Buffer.from(`${isWide ? 'a.dat' : name}\0`, 'latin1')),
    attribute(2, 0x0006800f, Buffer.from(content)),
    ...(isWide ? [attribute(2, 0x00069005, properties)] : []),
  ])
}
