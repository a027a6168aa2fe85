import type { RandomAccess } from '@kitseal/kit'
import { bytesAt, viewOf } from '../platform/sources.ts'
import { type InnerFile, InnerProblem } from './structure.ts'

/** What the window holds before the first byte ([MS-OXRTFCP] 2.1.2.1). */
const FIRST = new TextEncoder().encode(
  String.raw`{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` +
    '\r\n' +
    String.raw`\par \pard\plain\f0\fs20\b\i\u\tab\tx`,
)
const WINDOW_BYTES = 4096
const HEADER_BYTES = 16
const MAX_BYTES = 64 * 1024 * 1024
const [COMPRESSED, STORED] = [0x75465a4c, 0x414c454d]

/** The body of an Outlook message in RTF, unpacked whenever it is read. Undefined if it is something else. */
export async function rtfBody(name: string, packed: RandomAccess): Promise<InnerFile | undefined> {
  const unpack = async (): Promise<Uint8Array | undefined> => unpackedRtf(await bytesAt(packed, 0, MAX_BYTES))
  const body = await unpack()
  if (body === undefined) return undefined
  return {
    name,
    held: 'package',
    sizeBytes: body.length,
    async *content() {
      const bytes = await unpack()
      if (bytes === undefined || bytes.length >= MAX_BYTES)
        throw new InnerProblem({ code: 'partly_examined', detail: 'its body is too large' })
      yield bytes
    },
  }
}

/** As far as it can be unpacked. */
function unpackedRtf(packed: Uint8Array): Uint8Array | undefined {
  if (packed.length < HEADER_BYTES) return undefined
  const kind = viewOf(packed).getUint32(8, true)
  if (kind === STORED) return packed.subarray(HEADER_BYTES)
  if (kind !== COMPRESSED) return undefined
  // A run of two bytes stands for up to 17, so the output is bounded by the input, too.
  const out = new Uint8Array(FIRST.length + Math.min(MAX_BYTES, 9 * packed.length))
  out.set(FIRST)
  let length = FIRST.length
  let at = HEADER_BYTES
  const end = (): Uint8Array => out.subarray(FIRST.length, length)
  while (at < packed.length) {
    const control = packed[at++] as number
    for (let bit = 0; bit < 8 && at < packed.length && length < out.length; bit++) {
      if (((control >> bit) & 1) === 0) {
        out[length++] = packed[at++] as number
        continue
      }
      const run = ((packed[at] as number) << 8) | (packed[at + 1] ?? 0)
      at += 2
      const distance = (length - (run >> 4)) & (WINDOW_BYTES - 1)
      // A run to where the next byte is written ends the text.
      if (distance === 0) return end()
      for (let left = (run & 15) + 2; left > 0 && length < out.length; left--) {
        out[length] = out[length - distance] ?? 0
        length++
      }
    }
    if (length >= out.length) break
  }
  return end()
}
