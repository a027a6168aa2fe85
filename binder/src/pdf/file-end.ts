import { hash } from 'node:crypto'
import type { StreamContent } from './compress.ts'
import { crossReferences } from './cross-references.ts'
import {
  type FileStart,
  numberOf,
  type Ref,
  refOf,
  STREAM_END,
  type StreamHead,
  streamStart,
} from './pdf-file.ts'

/** Reused: the objects of most files fit. */
const SCRATCH = Buffer.allocUnsafeSlow(32_768)

/** The objects of one file, after the start that it shares with others. */
export function fileEnd(start: FileStart) {
  /** Text is one byte per character. */
  const chunks: (string | Uint8Array)[] = []
  const offsets: number[] = []
  let sizeBytes = start.bytes.length

  const write = (chunk: string | Uint8Array): void => {
    chunks.push(chunk)
    sizeBytes += chunk.length
  }

  return {
    put: (ref: Ref, object: string): void => {
      offsets[numberOf(ref)] = sizeBytes
      write(`${numberOf(ref)} 0 obj\n${object}\nendobj\n`)
    },
    putStream: (ref: Ref, head: StreamHead, content: StreamContent): void => {
      offsets[numberOf(ref)] = sizeBytes
      write(streamStart(ref, head, content))
      write(content.bytes)
      write(STREAM_END)
    },
    finish: ({ catalog, info }: { readonly catalog: Ref; readonly info: Ref }): Uint8Array => {
      const ownBytes = sizeBytes - start.bytes.length
      const own = fill(
        ownBytes <= SCRATCH.length ? SCRATCH.subarray(0, ownBytes) : Buffer.allocUnsafeSlow(ownBytes),
        chunks,
      )
      const id = hash('sha256', start.sha256 + hash('sha256', own)).slice(0, 32)
      const number = start.ownCount
      offsets[number] = sizeBytes
      const rows = { bytes: crossReferences(offsets, start.entries), isCompressed: true }
      const head = {
        Type: '/XRef',
        DecodeParms: '<</Predictor 12/Columns 7>>',
        Size: start.objectCount,
        W: '[1 4 2]',
        Root: catalog,
        Info: info,
        // Derived from the content.
        ID: `[<${id}><${id}>]`,
      }
      const opening = streamStart(refOf(number), head, rows)
      const closing = `${STREAM_END}startxref\n${sizeBytes}\n%%EOF\n`
      const size = sizeBytes + opening.length + rows.bytes.length + closing.length
      return fill(Buffer.allocUnsafeSlow(size), [start.bytes, own, opening, rows.bytes, closing])
    },
  }
}

function fill(target: Buffer, chunks: readonly (string | Uint8Array)[]): Buffer {
  let at = 0
  for (const chunk of chunks) {
    if (typeof chunk === 'string') target.write(chunk, at, 'latin1')
    else target.set(chunk, at)
    at += chunk.length
  }
  return target
}
