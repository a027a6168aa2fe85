import { detectContent, endingOf, type FileType, fileType, typeOfEnding } from '@kitseal/examiner'

/** How much of a file `mediaTypeOf` needs. */
export const HEAD_BYTES = 4096

const UNKNOWN = 'application/octet-stream'

/** The media type of an upload by its first bytes. The name only decides between types that start alike. */
export function mediaTypeOf(name: string, head: Uint8Array): string {
  const named = typeOfEnding(endingOf(name))
  const format = detectContent(head)
  const { content } = format
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
      return 'mediaType' in format ? (format as FileType).mediaType : UNKNOWN
  }
}
