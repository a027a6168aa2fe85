import { SHARED, type StreamContent } from './compress.ts'
import type { StructurePart } from './structure-tree.ts'

/** Content of a page that many documents have in common, compressed once. */
export interface SharedContent {
  /** Never used again for other content. */
  readonly id: number
  readonly stream: StreamContent
  readonly structure: StructurePart
}

export function sharedContent(
  id: number,
  pieces: readonly string[],
  structure: StructurePart,
): SharedContent {
  return { id, stream: SHARED.compress(Buffer.from(pieces.join(''), 'latin1')), structure }
}
