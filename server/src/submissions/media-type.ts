import { endingOf, fileType, typeOfEnding } from '@kitseal/evidence'
import { tellContent } from '@kitseal/evidence'

/** How much of a file is looked at. */
export const HEAD_BYTES = 4096

const UNKNOWN = 'application/octet-stream'

/** What a supplied file is, by its first bytes; its name only decides between types that begin alike. */
export function mediaTypeOf(name: string, head: Uint8Array): string {
  const named = typeOfEnding(endingOf(name))
  const content = tellContent(head)
  switch (content) {
    case 'pdf':
    case 'png':
    case 'jpeg':
    case 'tiff':
      return fileType(content).mediaType
    case 'zip':
      return named?.content === 'zip' ? named.mediaType : 'application/zip'
    case 'text':
      if (head.includes(0)) return UNKNOWN
      return named?.content === 'text' ? named.mediaType : 'text/plain'
    default:
      return UNKNOWN
  }
}
