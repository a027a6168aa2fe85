import { findBytes } from '../detect/find-bytes.ts'
import { viewOf } from '../platform/sources.ts'
import type { CompoundDirectory } from './compound-directory.ts'

const MAX_MODULE_BYTES = 16 * 1024 * 1024
const PROJECT = new Set(['vba', '_vba_project', 'macros', '_vba_project_cur'])
/** Streams of a project that are not modules. */
const NOT_MODULES = /^(?:dir|_vba_project|__srp_[\da-f]+)$/i

/** Whether a Compound File has a VBA project ([MS-OVBA]), and whether there is code in it. */
export async function vbaIn(directory: CompoundDirectory): Promise<'none' | 'empty' | 'code'> {
  const { entries } = directory
  if (!entries.some(({ name }) => PROJECT.has(name.toLowerCase()))) return 'none'
  const offsets = await sourceOffsets(directory)
  const streams = entries.filter(({ name, sizeBytes }) => sizeBytes > 0 && !NOT_MODULES.test(name))
  for (const entry of streams) {
    const isModule = entry.storages?.at(-1)?.toLowerCase() === 'vba'
    if (!isModule && entry.storages !== undefined) continue
    const bytes = await directory.readStart(entry, MAX_MODULE_BYTES)
    const at = offsets.get(entry.name.toLowerCase()) ?? findBytes(bytes, SOURCE_START) - 3
    if ((isModule || at >= 0) && hasCode(bytes, at)) return 'code'
  }
  return 'empty'
}

/** How the compressed source of a module starts, after three bytes. */
const SOURCE_START = new TextEncoder().encode('\0Attribut')

function hasCode(bytes: Uint8Array, sourceAt: number): boolean {
  const source = sourceAt < 0 ? undefined : decompressVba(bytes.subarray(sourceAt))
  // What cannot be read may run: programs prefer the compiled code.
  if (source === undefined) return true
  const lines = new TextDecoder('latin1')
    .decode(source)
    .split(/\r\n?|\n/)
    .filter((line) => !/^Attribute\b/i.test(line))
  const code = lines.filter((line) => !/^[\s\0]*(?:'.*|Rem\b.*|Option\s+\w.*)?$/i.test(line))
  if (
    code.some(
      (line, index) => !isEmptyProcedure(line, code[index + 1]) && !isEmptyProcedure(code[index - 1], line),
    )
  )
    return true
  return compiledLines(bytes.subarray(0, sourceAt)) > lines.length
}

/** A procedure in which there is nothing, as the editor creates it. */
function isEmptyProcedure(line: string | undefined, next: string | undefined): boolean {
  return (
    /^\s*(?:(?:Private|Public|Friend|Static)\s+)*(?:Sub|Function|Property\s+\w+)\s+\w+\s*\([^:]*$/i.test(
      line ?? '',
    ) && /^\s*End\s+(?:Sub|Function|Property)\s*$/i.test(next ?? '')
  )
}

const [STREAM_NAME, SOURCE_OFFSET, VERSION] = [0x1a, 0x31, 0x09]

/** Where the sources start in their streams, from the records of the project's directory (2.3.4.2). */
async function sourceOffsets({
  entries,
  readStart,
}: CompoundDirectory): Promise<ReadonlyMap<string, number>> {
  const offsets = new Map<string, number>()
  for (const entry of entries.filter(({ name }) => name.toLowerCase() === 'dir')) {
    const records = decompressVba(await readStart(entry, MAX_MODULE_BYTES)) ?? new Uint8Array(0)
    const view = viewOf(records)
    let stream = ''
    for (let at = 0; at + 6 <= records.length;) {
      const id = view.getUint16(at, true)
      // The version has two bytes more than it says.
      const length = view.getUint32(at + 2, true) + (id === VERSION ? 2 : 0)
      const data = records.subarray(at + 6, at + 6 + length)
      if (id === STREAM_NAME) stream = new TextDecoder('latin1').decode(data).toLowerCase()
      if (id === SOURCE_OFFSET && data.length === 4) offsets.set(stream, viewOf(data).getUint32(0, true))
      at += 6 + length
    }
  }
  return offsets
}

const LINES_START = Uint8Array.of(0xfe, 0xca, 0x01, 0x00)

/** The number of lines that were compiled. They may differ from the source. */
function compiledLines(compiled: Uint8Array): number {
  const at = findBytes(compiled, LINES_START)
  return at === -1 || at + 6 > compiled.length ? 0 : viewOf(compiled).getUint16(at + 4, true)
}

/** [MS-OVBA] 2.4.1: chunks of up to 4,096 bytes, in which tokens copy what came before. Undefined if it is damaged. */
function decompressVba(container: Uint8Array): Uint8Array | undefined {
  if (container[0] !== 1) return undefined
  let out = new Uint8Array(64 * 1024)
  let length = 0
  for (let at = 1; at + 2 <= container.length;) {
    const header = viewOf(container).getUint16(at, true)
    if ((header & 0x7000) !== 0x3000) break
    const end = Math.min(container.length, at + 3 + (header & 0xfff))
    const start = length
    if (out.length < length + 8192) out = grown(out)
    at += 2
    if ((header & 0x8000) === 0) {
      out.set(container.subarray(at, end), length)
      length += end - at
      at = end
    }
    while (at < end) {
      const flags = container[at++] as number
      for (let bit = 0; bit < 8 && at < end; bit++) {
        if ((flags & (1 << bit)) === 0) out[length++] = container[at++] as number
        else {
          if (at + 2 > end) return undefined
          const token = viewOf(container).getUint16(at, true)
          at += 2
          const bits = Math.max(4, Math.ceil(Math.log2(length - start)))
          const offset = (token >> (16 - bits)) + 1
          const count = (token & (0xffff >> bits)) + 3
          if (offset > length - start || length - start + count > 4096 + 8) return undefined
          for (let copied = 0; copied < count; copied++, length++)
            out[length] = out[length - offset] as number
        }
        if (length - start > 4096 + 8) return undefined
      }
    }
  }
  return out.subarray(0, length)
}

function grown(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const more = new Uint8Array(2 * bytes.length)
  more.set(bytes)
  return more
}
