/** The parts of a PNG file, still compressed (ISO/IEC 15948). */
export interface Png {
  readonly width: number
  readonly height: number
  readonly bitDepth: number
  readonly colours: Colours
  readonly palette: Uint8Array
  readonly transparency: Uint8Array
  /** The compressed rows. */
  readonly compressed: Uint8Array
  /** The size of the inflated rows, computed from the header. */
  readonly rawBytes: number
  readonly rowBytes: number
  readonly channels: number
}

export type Colours = 'gray' | 'rgb' | 'palette' | 'gray-alpha' | 'rgb-alpha'

const MAX_PIXELS = 16_000_000
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const COLOURS: Readonly<
  Record<number, { readonly is: Colours; readonly channels: number; readonly depths: readonly number[] }>
> = {
  0: { is: 'gray', channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { is: 'rgb', channels: 3, depths: [8, 16] },
  3: { is: 'palette', channels: 1, depths: [1, 2, 4, 8] },
  4: { is: 'gray-alpha', channels: 2, depths: [8, 16] },
  6: { is: 'rgb-alpha', channels: 4, depths: [8, 16] },
}

/** @throws if the file is not a PNG, is too large, or is interlaced */
export function readPng(bytes: Uint8Array): Png {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!file.subarray(0, 8).equals(SIGNATURE)) throw new Error('not a PNG')
  const chunks = [...chunksOf(file)]
  const header = chunks[0]
  if (header?.type !== 'IHDR' || header.body.length !== 13) throw new Error('no header')
  const [width, height] = [header.body.readUInt32BE(0), header.body.readUInt32BE(4)]
  const [bitDepth = 0, colourType = 0, compression, filter, interlace] = header.body.subarray(8)
  const colours = COLOURS[colourType]
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) throw new Error('unsupported size')
  if (!colours?.depths.includes(bitDepth)) throw new Error('unsupported colours')
  if (compression !== 0 || filter !== 0 || interlace !== 0) throw new Error('unsupported encoding')
  const rowBytes = Math.ceil((width * bitDepth * colours.channels) / 8)
  return {
    width,
    height,
    bitDepth,
    colours: colours.is,
    channels: colours.channels,
    palette: bodyOf(chunks, 'PLTE'),
    transparency: bodyOf(chunks, 'tRNS'),
    compressed: bodyOf(chunks, 'IDAT'),
    rowBytes,
    rawBytes: height * (rowBytes + 1),
  }
}

interface Chunk {
  readonly type: string
  readonly body: Buffer
}

function* chunksOf(file: Buffer): Generator<Chunk> {
  let at = SIGNATURE.length
  while (at + 12 <= file.length) {
    const length = file.readUInt32BE(at)
    if (length > file.length - at - 12) throw new Error('a chunk is truncated')
    const type = file.toString('latin1', at + 4, at + 8)
    yield { type, body: file.subarray(at + 8, at + 8 + length) }
    if (type === 'IEND') return
    at += 12 + length
  }
}

const bodyOf = (chunks: readonly Chunk[], wanted: string): Uint8Array =>
  Buffer.concat(chunks.filter(({ type }) => type === wanted).map(({ body }) => body))
