import { fileTypeFromBuffer } from 'file-type'
import { copyOf } from '../platform/sources.ts'

export interface DescribedContent {
  readonly ending: string
  readonly title: string
}

/** Describes content by its first bytes, as far as the library knows it. */
export async function describeUnknown(head: Uint8Array): Promise<DescribedContent | undefined> {
  try {
    // A bounded copy: the library follows lengths that the content states, and can read no further than this.
    const found = await fileTypeFromBuffer(copyOf(head.subarray(0, 4100)))
    if (found === undefined) return undefined
    return { ending: found.ext, title: `${found.ext.toUpperCase()} (${found.mime})` }
  } catch {
    return undefined
  }
}
