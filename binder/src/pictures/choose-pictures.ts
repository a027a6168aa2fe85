import type { InventoryFile, InventoryFolder } from '../take-inventory.ts'
import { jpegPicture } from './jpeg-picture.ts'
import type { JpegPicture } from './jpeg-picture.ts'
import { pngThumbnail } from './png-thumbnail.ts'

export interface Picture {
  readonly file: InventoryFile
  /** undefined where the file can't be shown: it is broken, or of a kind that readers of PDF don't know. */
  readonly shown: JpegPicture | undefined
}

export interface Pictures {
  readonly chosen: readonly Picture[]
  readonly leftOut: number
}

type ReadPicture = (bytes: Uint8Array) => JpegPicture

const READERS: Readonly<Record<string, ReadPicture>> = {
  'image/png': (bytes) => ({ image: pngThumbnail(bytes), orientation: 1 }),
  'image/jpeg': jpegPicture,
}
const MOST_PICTURES = 24
const LARGEST_PICTURE_BYTES = 2_000_000
const LARGEST_TOTAL_BYTES = 12_000_000

/** The first pictures of the inventory that are small enough to be carried in the binder. */
export async function choosePictures(
  folders: readonly InventoryFolder[],
  read: (path: string) => Promise<Uint8Array | undefined>,
): Promise<Pictures> {
  const pictures = folders.flatMap(({ files }) =>
    files.filter(({ mediaType }) => Object.hasOwn(READERS, mediaType)),
  )
  const chosen: Picture[] = []
  let totalBytes = 0
  for (const file of pictures) {
    if (chosen.length === MOST_PICTURES) break
    if (file.sizeBytes > Math.min(LARGEST_PICTURE_BYTES, LARGEST_TOTAL_BYTES - totalBytes)) continue
    totalBytes += file.sizeBytes
    chosen.push({ file, shown: shownPicture(file.mediaType, await read(file.path)) })
  }
  return { chosen, leftOut: pictures.length - chosen.length }
}

/** Pictures come from strangers: whatever goes wrong with one, the binder says so in its place and goes on. */
function shownPicture(mediaType: string, bytes: Uint8Array | undefined): JpegPicture | undefined {
  if (bytes === undefined || bytes.length > LARGEST_PICTURE_BYTES) return undefined
  try {
    return READERS[mediaType]?.(bytes)
  } catch {
    return undefined
  }
}
