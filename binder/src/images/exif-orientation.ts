const ORIENTATION = 0x0112
const MAX_ENTRIES = 200

/** The Exif orientation (1 to 8) in an APP1 segment, if any. */
export function exifOrientation(body: Buffer): number | undefined {
  if (body.toString('latin1', 0, 6) !== 'Exif\0\0') return undefined
  const tiff = body.subarray(6)
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return undefined
  const short = (at: number): number => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const start = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (start + 2 > tiff.length) return undefined
  const entries = Math.min(short(start), MAX_ENTRIES)
  for (let index = 0; index < entries; index++) {
    const at = start + 2 + index * 12
    if (at + 12 > tiff.length) return undefined
    if (short(at) !== ORIENTATION) continue
    const value = short(at + 8)
    return value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}
