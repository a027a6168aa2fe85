import type { Reason } from '@kitseal/kit/internal'
import type { RandomAccess } from '@kitseal/kit'
import type { ExamineContext } from '../examine-context.ts'
import { checkName } from '../file-names.ts'
import { KIT_LEVELS, checkKitFolders } from '../kits/contained-kit.ts'
import { bytesAt } from '../platform/sources.ts'
import { type Finding, detailOf } from '../rules.ts'
import { rangeOf, unpackedFiles } from './inner-files.ts'
import type { FileToCheck, InnerFile, Structure } from './structure.ts'

const BLOCK = 512
const MAX_NAME_BYTES = 64 * 1024
const latin1 = new TextDecoder('latin1')
const utf8 = new TextDecoder()

/** By the checksum of the first header: the oldest form (V7) has no signature. */
export function isTar(head: Uint8Array): boolean {
  return (head[0] ?? 0) > 31 && head.length >= BLOCK && checksumFits(head)
}

/** Lists the entries of a tar archive. Names, links and special files follow the rules for ZIP archives. */
export async function checkTar(file: FileToCheck, ctx: ExamineContext): Promise<Structure> {
  const { source, displayPath, depth } = file
  if (depth >= ctx.limits.nesting) {
    const detail = detailOf('detail.levelsOfArchives', { count: ctx.limits.nesting })
    return { type: 'tar', findings: [{ code: 'nested_too_deep', detail }] }
  }
  const inner: InnerFile[] = []
  const seen = new Set<string>()
  const findings: Finding[] = []
  for await (const entry of tarEntries(source)) {
    if ('text' in entry) {
      findings.push({ code: 'unreadable_archive', detail: entry })
      break
    }
    const { name, type, at, sizeBytes, realBytes } = entry
    const shown = `${displayPath}/${name}`
    const limit =
      ctx.budget.admit(1, sizeBytes, Math.max(sizeBytes, 1)) ??
      (realBytes > ctx.limits.unpackedBytes
        ? { code: 'too_large_unpacked', detail: detailOf('detail.withHoles') }
        : undefined)
    if (limit !== undefined) return { type: 'tar', findings: [limit] }
    const path = plainTarPath(name)
    if (path !== '' && path !== '.') ctx.report(shown, ...checkName(path))
    if (type === '5') continue
    if (seen.has(path)) ctx.report(shown, { code: 'name_collision', detail: detailOf('detail.inside') })
    seen.add(path)
    // A second name of a file that is already in the archive.
    if (type === '1' && seen.has(entry.target)) continue
    if (type === '1' || type === '2') ctx.report(shown, { code: 'link' })
    else if (!TAR_FILES.has(type) && type !== SPARSE) ctx.report(shown, { code: 'special_file' })
    else {
      if (type === SPARSE)
        ctx.report(shown, { code: 'partly_examined', detail: detailOf('detail.holesNotFilled') })
      inner.push(rangeOf(source, { name, as: 'file', at, sizeBytes }))
    }
  }
  if (file.kits < KIT_LEVELS) await checkKitFolders(ctx, unpackedFiles(displayPath, inner))
  return { type: 'tar', findings, inner }
}

/** Without `./` at the start and `/` at the end. */
export const plainTarPath = (name: string): string => name.replace(/^(?:\.\/)+/, '').replace(/\/$/, '')

/** A file with holes, which are not stored. What is stored of it is searched as it is. */
const SPARSE = 'S'

/** Regular files: POSIX, old, and contiguous. */
export const TAR_FILES = new Set(['0', '\0', '7'])

export interface TarEntry {
  readonly name: string
  readonly type: string
  /** What a link points to. */
  readonly target: string
  readonly at: number
  readonly sizeBytes: number
  /** With the holes of a sparse file. */
  readonly realBytes: number
}

/** Yields entries, or at last the problem that ends the archive. */
export async function* tarEntries(source: RandomAccess): AsyncGenerator<TarEntry | Reason> {
  let longName: string | undefined
  let pax: ReadonlyMap<string, string> = NO_FIELDS
  for (let at = 0; at < source.sizeBytes;) {
    const header = await bytesAt(source, at, BLOCK)
    if (header.every((byte) => byte === 0)) return
    if (header.length < BLOCK || !checksumFits(header)) {
      yield detailOf('detail.tarHeader')
      return
    }
    const type = String.fromCharCode(header[156] ?? 0)
    const sizeBytes = numberIn(header.subarray(124, 136))
    const dataAt = at + BLOCK + (type === SPARSE ? await extensionBytes(source, at, header) : 0)
    if (sizeBytes === undefined || dataAt + sizeBytes > source.sizeBytes) {
      yield detailOf('detail.truncated')
      return
    }
    at = dataAt + Math.ceil(sizeBytes / BLOCK) * BLOCK
    if (type === 'L' || type === 'x') {
      const bytes = await bytesAt(source, dataAt, Math.min(sizeBytes, MAX_NAME_BYTES))
      if (type === 'x') pax = paxFields(bytes)
      longName = type === 'L' ? textOf(bytes) : (pax.get('GNU.sparse.name') ?? pax.get('path') ?? longName)
    } else if (type !== 'g' && type !== 'K') {
      const prefix =
        latin1.decode(header.subarray(257, 263)) === 'ustar\0' ? textOf(header.subarray(345, 500)) : ''
      const short = textOf(header.subarray(0, 100))
      const target = plainTarPath(textOf(header.subarray(157, 257)))
      const isSparse = type === SPARSE || [...pax.keys()].some((key) => key.startsWith('GNU.sparse.'))
      const stated = type === SPARSE ? numberIn(header.subarray(483, 495)) : Number(realSizeIn(pax))
      yield {
        target,
        name: longName ?? (prefix === '' ? short : `${prefix}/${short}`),
        type: isSparse ? SPARSE : type,
        at: dataAt,
        sizeBytes,
        realBytes: isSparse ? (stated ?? sizeBytes) : sizeBytes,
      }
      longName = undefined
      pax = NO_FIELDS
    }
  }
}

const textOf = (bytes: Uint8Array): string => utf8.decode(bytes).split('\0', 1)[0] ?? ''

const NO_FIELDS: ReadonlyMap<string, string> = new Map()

/** `LENGTH KEY=VALUE\n` in a POSIX extended header. */
function paxFields(bytes: Uint8Array): ReadonlyMap<string, string> {
  const fields = utf8.decode(bytes).matchAll(/(?<=^|\n)\d+ ([^=\n]+)=([^\n]*)\n/g)
  return new Map(Array.from(fields, ([, key = '', value = '']) => [key, value]))
}

const realSizeIn = (pax: ReadonlyMap<string, string>): string =>
  pax.get('GNU.sparse.realsize') ?? pax.get('GNU.sparse.size') ?? '0'

/** Further blocks with places of data, in the old form of GNU tar. Each says whether another follows. */
async function extensionBytes(source: RandomAccess, at: number, header: Uint8Array): Promise<number> {
  let bytes = 0
  for (let more = header[482] === 1; more && at + BLOCK + bytes < source.sizeBytes; bytes += BLOCK)
    more = (await bytesAt(source, at + BLOCK + bytes, BLOCK))[504] === 1
  return bytes
}

/** Octal digits, or GNU's binary form for large files. */
function numberIn(field: Uint8Array): number | undefined {
  if (((field[0] ?? 0) & 0x80) !== 0) {
    const value = field.subarray(4).reduce((sum, byte) => sum * 256 + byte, 0)
    return Number.isSafeInteger(value) ? value : undefined
  }
  const digits = textOf(field).trim()
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || '0', 8) : undefined
}

/** Of the first block, with spaces in place of the checksum. */
function checksumFits(header: Uint8Array): boolean {
  // Most texts have a letter here, where no number starts.
  const first = header[148]!
  if (first > 0x37 && first < 0x80) return false
  let sum = 8 * 32
  for (let at = 0; at < 148; at++) sum += header[at]!
  for (let at = 156; at < BLOCK; at++) sum += header[at]!
  return numberIn(header.subarray(148, 156)) === sum
}
