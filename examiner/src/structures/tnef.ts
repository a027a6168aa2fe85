import { bytesAt, memorySource, viewOf } from '../platform/sources.ts'
import { rtfBody } from './compressed-rtf.ts'
import { bytesFile } from './inner-files.ts'
import { type FileToCheck, type InnerFile, type Structure, broken } from './structure.ts'

const MAX_BYTES = 64 * 1024 * 1024
const MAX_FILES = 10_000
const MAX_NAMES = 8
const [RENDER_DATA, TITLE, DATA, ATTACHMENT, MESSAGE] = [0x9002, 0x8010, 0x800f, 0x9005, 0x9003]
const [LONG_NAME, SHORT_NAME, CONTENT, HTML_BODY, RTF_BODY] = [0x3707, 0x3704, 0x3701, 0x1013, 0x1009]

/** A message of Outlook in one attachment (winmail.dat, [MS-OXTNEF]): a list of attributes with their lengths. */
export async function checkTnef({ source }: FileToCheck): Promise<Structure> {
  const bytes = await bytesAt(source, 0, MAX_BYTES)
  const view = viewOf(bytes)
  const inner: InnerFile[] = []
  let names: string[] = []
  let contents: Uint8Array[] = []
  const flush = (): void => {
    for (const content of inner.length < MAX_FILES ? contents : [])
      for (const name of names.length === 0
        ? [`attachment ${inner.length + 1}`]
        : new Set(names.slice(0, MAX_NAMES)))
        inner.push(bytesFile(name, 'attachment', content))
    names = []
    contents = []
  }
  let at = 6
  for (; at + 9 <= bytes.length;) {
    const attribute = view.getUint16(at + 1, true)
    const length = view.getUint32(at + 5, true)
    const data = bytes.subarray(at + 9, at + 9 + length)
    if (attribute === RENDER_DATA) flush()
    else if (attribute === TITLE) names.push(baseName(new TextDecoder('latin1').decode(data)))
    else if (attribute === DATA) contents.push(data)
    else if (attribute === ATTACHMENT || attribute === MESSAGE)
      for (const { id, isWide, value } of properties(data)) {
        if (id === LONG_NAME || id === SHORT_NAME)
          names.push(baseName(new TextDecoder(isWide ? 'utf-16le' : 'latin1').decode(value)))
        // An object has the ID of its interface before it.
        else if (id === CONTENT) contents.push(value, value.subarray(16))
        else if (id === HTML_BODY) inner.push(bytesFile(`body ${inner.length + 1}.html`, 'package', value))
        else if (id === RTF_BODY) {
          const body = await rtfBody(`body ${inner.length + 1}.rtf`, memorySource(value))
          if (body !== undefined && inner.length < MAX_FILES) inner.push(body)
        }
      }
    at += 11 + length
  }
  flush()
  if (inner.length < MAX_FILES && source.sizeBytes <= MAX_BYTES && at <= bytes.length + 2)
    return { type: 'tnef', findings: [], notes: [], inner }
  return { ...broken('partly_examined', 'it is cut off or too large'), type: 'tnef', inner }
}

interface Property {
  readonly id: number
  readonly isWide: boolean
  readonly value: Uint8Array
}

const WIDE = 0x1f
/** How long a value is, if not 4 bytes. */
const FIXED: Readonly<Record<number, number>> = { 0x05: 8, 0x06: 8, 0x07: 8, 0x14: 8, 0x40: 8, 0x48: 16 }
const VARIABLE = new Set([0x0d, 0x1e, 0x1f, 0x102])

/** A number, then properties ([MS-OXTNEF] 2.1.3.4): type, ID, for named ones a name, and values. */
function* properties(data: Uint8Array): Generator<Property> {
  const view = viewOf(data)
  const count = data.length < 4 ? 0 : view.getUint32(0, true)
  let at = 4
  for (let index = 0; index < count && at + 8 <= data.length; index++) {
    const [type, id] = [view.getUint16(at, true), view.getUint16(at + 2, true)]
    at += 4
    if (id >= 0x8000) {
      if (at + 24 > data.length) return
      const isNamed = view.getUint32(at + 16, true) === 1
      at += 20
      at += 4 + (isNamed ? padded(view.getUint32(at, true)) : 0)
    }
    const isMultiple = (type & 0x1000) !== 0
    const kind = type & 0xfff
    let values = 1
    if (isMultiple || VARIABLE.has(kind)) {
      if (at + 4 > data.length) return
      values = view.getUint32(at, true)
      at += 4
    }
    for (let value = 0; value < values && at + 4 <= data.length; value++) {
      let length = FIXED[kind] ?? 4
      if (VARIABLE.has(kind)) {
        length = view.getUint32(at, true)
        at += 4
      }
      yield { id, isWide: kind === WIDE, value: data.subarray(at, at + length) }
      at += padded(length)
    }
  }
}

const padded = (length: number): number => Math.ceil(length / 4) * 4

const baseName = (text: string): string =>
  (text.split('\0', 1)[0] ?? '').replace(/^.*[\\/]/, '').trim() || 'attachment'
