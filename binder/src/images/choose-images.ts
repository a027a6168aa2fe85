import type { InventoryFile, InventoryFolder } from '../build-inventory.ts'
import { jpegImage } from './jpeg-image.ts'
import type { OrientedImage } from './jpeg-image.ts'
import { pngThumbnail } from './png-thumbnail.ts'

export interface ChosenImage {
  readonly file: InventoryFile
  /** Undefined if it is damaged, or in a format that PDF viewers do not support. */
  readonly preview: OrientedImage | undefined
}

export interface ChosenImages {
  readonly chosen: readonly ChosenImage[]
  readonly leftOut: number
}

type DecodeImage = (bytes: Uint8Array) => OrientedImage

const DECODERS: Readonly<Record<string, DecodeImage>> = {
  'image/png': (bytes) => ({ image: pngThumbnail(bytes), orientation: 1 }),
  'image/jpeg': jpegImage,
}
const MAX_IMAGES = 24
const MAX_IMAGE_BYTES = 2_000_000
const MAX_TOTAL_BYTES = 12_000_000

/** Chooses the first images of the inventory that are small enough. */
export async function chooseImages(
  folders: readonly InventoryFolder[],
  read: (path: string) => Promise<Uint8Array | undefined>,
): Promise<ChosenImages> {
  const images = folders.flatMap(({ files }) =>
    files.filter(({ mediaType }) => Object.hasOwn(DECODERS, mediaType)),
  )
  const chosen: ChosenImage[] = []
  let totalBytes = 0
  for (const file of images) {
    if (chosen.length === MAX_IMAGES) break
    if (file.sizeBytes > Math.min(MAX_IMAGE_BYTES, MAX_TOTAL_BYTES - totalBytes)) continue
    totalBytes += file.sizeBytes
    chosen.push({ file, preview: decodeImage(file.mediaType, await read(file.path)) })
  }
  return { chosen, leftOut: images.length - chosen.length }
}

/** Images are untrusted: a damaged one becomes a placeholder. */
function decodeImage(mediaType: string, bytes: Uint8Array | undefined): OrientedImage | undefined {
  if (bytes === undefined || bytes.length > MAX_IMAGE_BYTES) return undefined
  try {
    return DECODERS[mediaType]?.(bytes)
  } catch {
    return undefined
  }
}
