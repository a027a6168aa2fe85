import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32, createGunzip } from 'node:zlib'
import { fileSource } from '@kitseal/kit/internal/node'
import type * as EvidenceRules from '@kitseal/examiner/node'
import { describeError, InputError, tempFolderError } from './input-error.ts'
import { tempFolder } from './scratch-folder.ts'
import {
  type GatheredFile,
  type PackedPart,
  packedFiles,
  plainFile,
  type Unpackable,
} from './gather-evidence.ts'

/** The part of stdin that is needed. */
export type Piped = AsyncIterable<Uint8Array> & { readonly isTTY?: boolean }

/** The argument that stands for standard input. */
export const STDIN = '-'

export const STDIN_LIMITS = { bytes: 64 * 2 ** 30, entries: 1_000_000 }

export interface StdinEvidence extends Disposable {
  readonly file: GatheredFile
}

/**
 * Reads a tar, tar.gz or ZIP archive from standard input into a temp file. No entry is written under its own name: a tar
 * archive is repacked from the temp file, as a folder would be.
 */
export async function readStdinEvidence(
  stdin: Piped | undefined,
  {
    signal,
    limits = STDIN_LIMITS,
  }: { readonly signal?: AbortSignal | undefined; readonly limits?: typeof STDIN_LIMITS } = {},
): Promise<StdinEvidence> {
  if (stdin === undefined || stdin.isTTY === true)
    throw new InputError('nothing is piped into it. Example: tar c evidence | kitseal submit -')
  const folder = tempFolder('stdin')
  try {
    const file = await receive(stdin, folder.path, limits, signal)
    return { file, [Symbol.dispose]: () => folder[Symbol.dispose]() }
  } catch (error) {
    folder[Symbol.dispose]()
    throw error
  }
}

async function receive(
  stdin: Piped,
  folder: string,
  limits: typeof STDIN_LIMITS,
  signal: AbortSignal | undefined,
): Promise<GatheredFile> {
  const evidence = await import('@kitseal/examiner/node')
  const received = join(folder, 'stdin.zip')
  await save(stdin, received, limits.bytes, signal)
  const head = headOf(received)
  if (head.length === 0) throw new InputError('standard input is empty')
  if (isZip(head)) return { ...plainFile(received), paths: [{ service: 'stdin.zip/', own: '' }] }
  if (evidence.isTar(head)) return packTar(received, limits.entries, evidence)
  if (head[0] === 0x1f && head[1] === 0x8b) {
    const unpacked = join(folder, 'stdin.tar')
    await save(createReadStream(received), unpacked, limits.bytes, signal, true)
    if (evidence.isTar(headOf(unpacked))) return packTar(unpacked, limits.entries, evidence)
  }
  throw new InputError('standard input is not a tar, tar.gz or ZIP archive. Pass a single file by its name.')
}

async function save(
  source: AsyncIterable<Uint8Array>,
  path: string,
  limitBytes: number,
  signal: AbortSignal | undefined,
  isGzip = false,
): Promise<void> {
  let sizeBytes = 0
  async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length
      if (sizeBytes > limitBytes)
        throw new InputError(`standard input is larger than ${limitBytes} bytes. Save it to files first.`)
      yield chunk
    }
  }
  const target = createWriteStream(path, { mode: 0o600 })
  const options = signal === undefined ? {} : { signal }
  try {
    if (isGzip) await pipeline(source, createGunzip(), limited, target, options)
    else await pipeline(source, limited, target, options)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof InputError) throw error
    if (isGzip && !('syscall' in (error as object)))
      throw new InputError(`standard input is not a valid gzip file: ${describeError(error)}`)
    throw tempFolderError(error)
  }
}

const HEAD_BYTES = 512

function headOf(path: string): Uint8Array {
  using file = fileSource(path)
  return (file.read(0, Math.min(HEAD_BYTES, file.sizeBytes)) as Uint8Array).slice()
}

const isZip = (head: Uint8Array): boolean =>
  head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5)

/** A ZIP of the files in a tar archive. Links, devices and hostile names are listed as unpackable. */
async function packTar(
  path: string,
  maxEntries: number,
  { checkName, findingRecord, plainTarPath, TAR_FILES, tarEntries }: typeof EvidenceRules,
): Promise<GatheredFile> {
  using source = fileSource(path)
  const read = (offset: number, length: number): Uint8Array =>
    (source.read(offset, length) as Uint8Array).slice()
  const files = new Map<string, PackedPart>()
  const unpackable: Unpackable[] = []
  const damaged: string[] = []
  let end = 0
  let count = 0
  for await (const entry of tarEntries({ sizeBytes: source.sizeBytes, read })) {
    if ('text' in entry) {
      damaged.push(entry.text)
      break
    }
    if (++count > maxEntries) throw new InputError(`the archive has more than ${maxEntries} entries`)
    const { type, at, sizeBytes, target } = entry
    end = at + Math.ceil(sizeBytes / BLOCK) * BLOCK
    const name = plainTarPath(entry.name)
    const reject = (is: Unpackable['is'], text: string, finding?: EvidenceRules.Finding): void =>
      void unpackable.push({ is, path: name, problem: `cannot pack ${name}: ${text}`, finding })
    const hostile = isFolderItself(name) ? undefined : checkName(name).find(({ code }) => HOSTILE.has(code))
    const original = type === '1' ? files.get(target) : undefined
    if (hostile !== undefined) reject('name', findingRecord(name, hostile).message, hostile)
    else if (name.includes('\ufffd')) reject('not_utf8', 'its name is not UTF-8')
    else if (type === '5') continue
    else if (files.has(name)) throw new InputError(`the archive contains ${name} twice`)
    else if (original !== undefined) files.set(name, { ...original, path: name })
    else if (type === '1' || type === '2') reject('link', 'it is a link')
    else if (!TAR_FILES.has(type)) reject('special', 'it is a special file')
    else if (SPARSE.test(name)) reject('special', 'it is a sparse file. Create the archive without --sparse.')
    else
      files.set(name, {
        path: name,
        diskPath: path,
        start: at,
        sizeBytes,
        crc32: checksum(read, at, sizeBytes),
      })
  }
  if (damaged.length === 0 && (end + BLOCK > source.sizeBytes || read(end, BLOCK).some((byte) => byte !== 0)))
    damaged.push('it has no end mark. Did the command that wrote it fail?')
  if (damaged.length > 0)
    throw new InputError(`the archive on standard input is damaged: ${damaged.join('')}`)
  return inOneFolder([...files.values()], unpackable)
}

const BLOCK = 512
const HOSTILE: ReadonlySet<string> = new Set([
  'name_traversal',
  'name_absolute',
  'name_backslash',
  'name_forbidden',
])
/** The entry of the packed folder, as `tar c .` writes it. */
const isFolderItself = (name: string): boolean => name === '' || name === '.'
/** GNU tar stores the parts of a sparse file under such a name. */
const SPARSE = /(?:^|\/)GNUSparseFile\.\d+\//

/** If all files are in one folder, it becomes the folder of the archive. */
function inOneFolder(files: readonly PackedPart[], unpackable: readonly Unpackable[]): GatheredFile {
  const folders = new Set(files.map(({ path }) => path.slice(0, path.indexOf('/') + 1)))
  const [prefix = ''] = folders
  if (folders.size !== 1 || prefix === '') return packedFiles('stdin', files, unpackable, '')
  const below = files.map((file) => ({ ...file, path: file.path.slice(prefix.length) }))
  return packedFiles(prefix.slice(0, -1), below, unpackable, prefix.slice(0, -1))
}

const CHUNK_BYTES = 1024 * 1024

function checksum(
  read: (offset: number, length: number) => Uint8Array,
  at: number,
  sizeBytes: number,
): number {
  let crc = 0
  for (let done = 0; done < sizeBytes; done += CHUNK_BYTES)
    crc = crc32(read(at + done, Math.min(CHUNK_BYTES, sizeBytes - done)), crc)
  return crc
}
