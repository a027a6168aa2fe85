// Content inside of another form: compressed RTF of Outlook, and messages in CMS.

const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer)

const run = (offset: number, length: number): Buffer => {
  const item = Buffer.alloc(2)
  item.writeUInt16BE(((offset % 4096) << 4) | (length - 2))
  return item
}

/** [MS-OXRTFCP], with literals only, or with runs of what came before. */
export function compressedRtf(rtf: string, withRuns = false): Buffer {
  const window = Buffer.concat([Buffer.from(START, 'latin1'), Buffer.from(rtf, 'latin1')])
  const groups: Buffer[] = []
  let items: Buffer[] = []
  let control = 0
  const add = (item: Buffer): void => {
    if (item.length === 2) control |= 1 << items.length
    items.push(item)
    if (items.length < 8) return
    groups.push(Buffer.of(control), ...items)
    ;[items, control] = [[], 0]
  }
  for (let at = START.length; at < window.length;) {
    let [best, bestAt] = [0, 0]
    for (let from = withRuns ? Math.max(0, at - 4095) : at; from < at; from++) {
      let length = 0
      while (length < 17 && at + length < window.length && window[from + length] === window[at + length])
        length++
      if (length > best) [best, bestAt] = [length, from]
    }
    if (best >= 2) add(run(bestAt, best))
    else add(window.subarray(at, at + 1))
    at += best >= 2 ? best : 1
  }
  add(run(window.length, 2))
  const data = Buffer.concat([...groups, Buffer.of(control), ...items])
  return Buffer.concat([u32(data.length + 12), u32(rtf.length), Buffer.from('LZFu'), u32(0), data])
}

const START =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx'

/** An element of DER, or of BER with a length that is only known at the end. */
function element(tag: number, content: Uint8Array, isBer: boolean): Buffer {
  if (isBer) return Buffer.concat([Buffer.of(tag, 0x80), content, Buffer.alloc(2)])
  const { length } = content
  const header =
    length < 128
      ? Buffer.of(tag, length)
      : Buffer.of(tag, 0x83, length >> 16, (length >> 8) & 255, length & 255)
  return Buffer.concat([header, content])
}

/** A string of bytes, in parts in BER. */
export function octets(content: Buffer, isBer: boolean): Buffer {
  if (!isBer) return element(0x04, content, false)
  const parts: Buffer[] = []
  for (let at = 0; at < content.length; at += 1000)
    parts.push(element(0x04, content.subarray(at, at + 1000), false))
  return element(0x24, Buffer.concat(parts), true)
}

const TYPES = {
  data: '06092a864886f70d010701',
  signed: '06092a864886f70d010702',
  enveloped: '06092a864886f70d010703',
  'time stamp': '060b2a864886f70d0109100104',
  compressed: '060b2a864886f70d0109100109',
  authEnveloped: '060b2a864886f70d0109100117',
}

const id = (name: keyof typeof TYPES): Buffer => Buffer.from(TYPES[name], 'hex')

/** A message in CMS with this content, or without any. */
export function cms(
  type: 'signed' | 'enveloped' | 'compressed' | 'authEnveloped',
  content: Buffer | undefined,
  isBer: boolean,
  innerType: 'data' | 'time stamp' = 'data',
): Buffer {
  const inner = content === undefined ? [] : [element(0xa0, content, isBer)]
  const algorithms =
    type === 'compressed' ? element(0x30, id('data'), false) : element(0x31, Buffer.alloc(0), false)
  const data = Buffer.concat([
    Buffer.of(2, 1, 1),
    algorithms,
    element(0x30, Buffer.concat([id(innerType), ...inner]), isBer),
    element(0x31, Buffer.alloc(0), false),
  ])
  return element(0x30, Buffer.concat([id(type), element(0xa0, element(0x30, data, isBer), isBer)]), isBer)
}

export const wrapped = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll(/.{64}/g, '$&\n')
