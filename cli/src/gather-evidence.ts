import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { basename, join, resolve, sep } from 'node:path'
import {
  comparePaths,
  layOutZip,
  type RandomAccess,
  type ZipLayout,
  formatBytes,
} from '@kitseal/kit/internal'
import {
  fileSource,
  type FileSource,
  listFolder,
  type LocalFile,
  measureFiles,
} from '@kitseal/kit/internal/node'
import type { FileOnDisk, Finding } from '@kitseal/examiner/node'
import { describeError, InputError } from './input-error.ts'
import type { Terminal } from './terminal.ts'
import { transferProgress } from './progress.ts'
import { isUnencrypted } from './fetch-document.ts'
import { knownApiKey, serviceUrl } from './service-settings.ts'

/** A file to upload. */
export interface GatheredFile {
  readonly name: string
  /** The number of files in it, if it is a folder packed as a ZIP. */
  readonly packedFiles?: number
  /** Their size, without the archive around them. */
  readonly contentBytes?: number
  /** The files of that folder, under the names that they have in the ZIP. */
  readonly onDisk?: readonly FileOnDisk[]
  /** Entries of that folder that cannot be packed. */
  readonly unpackable?: readonly Unpackable[]
  readonly sizeBytes: number
  /** Random access, for the checks. Keeps a file open until disposed. */
  open(): RandomAccess & Disposable
  /** Sequential access, for the upload. */
  read(): AsyncIterable<Uint8Array>
  readFrom(start: number): AsyncIterable<Uint8Array>
  /** Changes with the content. */
  readonly resumeKey: string
  /** Paths of the service that start with `service` start with `own` for the user. */
  readonly paths: readonly { readonly service: string; readonly own: string }[]
}

export interface Unpackable {
  readonly is: 'link' | 'special' | 'not_utf8' | 'name'
  /** As the user knows it. */
  readonly path: string
  readonly problem: string
  /** The finding about a hostile name. */
  readonly finding?: Finding | undefined
}

/** The files to upload: files as they are, a folder as one ZIP. Throws if something cannot be packed. */
export async function gatherEvidence(
  paths: readonly string[],
  terminal?: Terminal,
): Promise<readonly GatheredFile[]> {
  const gathered = await findEvidence(paths, terminal)
  const problems = gathered.flatMap(({ unpackable = [] }) => unpackable.map(({ problem }) => problem))
  if (problems.length > 0) throw new InputError(...problems)
  return gathered
}

/** Like `gatherEvidence`, but lists entries that cannot be packed instead of throwing. Names are not checked here. */
export async function findEvidence(
  paths: readonly string[],
  terminal?: Terminal,
): Promise<readonly GatheredFile[]> {
  const problems: string[] = []
  const gathered: GatheredFile[] = []
  for (const path of paths) {
    try {
      const found = statSync(path)
      // The size of a pipe is unknown, and it cannot be read twice.
      if (!found.isDirectory() && !found.isFile())
        throw new Error('it is not a regular file. Save it to a file first.')
      gathered.push(found.isDirectory() ? await packedFolder(path, terminal) : plainFile(path))
    } catch (error) {
      if (error instanceof InputError) problems.push(...error.problems)
      else problems.push(`cannot read ${path}: ${describeError(error)}`)
    }
  }
  for (const [at, { name }] of gathered.entries()) {
    if (gathered.findIndex((other) => other.name === name) < at)
      problems.push(`two files are named ${name}. Put them in a folder and pass the folder.`)
  }
  if (problems.length > 0) throw new InputError(...problems)
  return gathered
}

function plainFile(path: string): GatheredFile {
  using found = fileSource(path)
  const { sizeBytes } = found
  const open = (): RandomAccess & Disposable => {
    const file = fileSource(path)
    return {
      sizeBytes,
      read: (offset, length) => readPart(file, path, offset, Math.min(length, sizeBytes - offset)),
      [Symbol.dispose]: () => file[Symbol.dispose](),
    }
  }
  const name = basename(path)
  let resumeKey: string | undefined
  return {
    name,
    sizeBytes,
    open,
    ...sequential(open),
    // Only for uploads. A copy of the file on another machine has the same.
    get resumeKey() {
      return (resumeKey ??= `sha256 ${sha256Of(open)}`)
    },
    paths: [{ service: name, own: path }],
  }
}

/** A fixed time makes the archive of a folder reproducible. */
const FIXED_TIME = '1980-01-01T00:00:00.000Z'

async function packedFolder(path: string, terminal: Terminal | undefined): Promise<GatheredFile> {
  const folder = basename(resolve(path)) || 'evidence'
  const { files: found, others } = listFolder(path)
  if (found.length + others.length === 0) throw new InputError(`${path} contains no files`)
  const progress = terminal && transferProgress(terminal, 'reading')
  const measured = await measureFiles(found, ['crc32'], progress?.of)
  progress?.clear()
  const unpackable: Unpackable[] = []
  const problems = measured.ok ? [] : [...measured.problems]
  for (const { path: below, problem } of others) {
    const { is, text } = problem
    if (is === 'unreadable') problems.push(`${below} ${text}`)
    else unpackable.push({ is, path: join(path, below), problem: `cannot pack ${path}: ${below} ${text}` })
  }
  if (!measured.ok || problems.length > 0)
    throw new InputError(...problems.map((problem) => `cannot pack ${path}: ${problem}`))
  const files = measured.files.toSorted(byPath)
  const onDisk = files.map(({ path: below, diskPath, sizeBytes }) => ({
    name: `${folder}/${below}`,
    diskPath,
    sizeBytes,
  }))
  return { ...packedFiles(folder, files, unpackable, path), onDisk }
}

const byPath = (a: PackedPart, b: PackedPart): number => comparePaths(a.path, b.path)

/** A file on disk that becomes an entry of the archive. */
type PackedPart = LocalFile<'crc32'>

/** A ZIP of these files, generated on the fly. `own` is what the user calls the folder. */
export function packedFiles(
  folder: string,
  unsorted: readonly PackedPart[],
  unpackable: readonly Unpackable[],
  own: string,
): GatheredFile {
  const name = `${folder}.zip`
  const files = unsorted.toSorted(byPath)
  const layout = layOutZip(folder, files, FIXED_TIME)
  const open = (): RandomAccess & Disposable => openLayout(layout, files)
  const { sizeBytes } = layout
  const resumeKey = `files ${contentKey(files)}`
  const below = join(own, '/')
  const paths = [
    { service: `${name}/${folder}/`, own: below === `.${sep}` ? '' : below },
    { service: name, own },
  ]
  return {
    name,
    packedFiles: files.length,
    contentBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0),
    unpackable,
    sizeBytes,
    open,
    ...sequential(open),
    resumeKey,
    paths,
  }
}

/** Random access to the archive, generated from the files on the fly. */
function openLayout(layout: ZipLayout, files: readonly PackedPart[]): RandomAccess & Disposable {
  const parts = new Map(files.map((file) => [file.path, file]))
  let opened: { readonly diskPath: string; readonly file: FileSource } | undefined
  const close = (): void => {
    opened?.file[Symbol.dispose]()
    opened = undefined
  }
  const fileAt = (diskPath: string): FileSource => {
    if (opened?.diskPath !== diskPath) {
      close()
      opened = { diskPath, file: fileSource(diskPath) }
    }
    return opened.file
  }
  const readPiece = (path: string, start: number, length: number): Uint8Array => {
    const { diskPath = '' } = parts.get(path) ?? {}
    return readPart(fileAt(diskPath), diskPath, start, length)
  }
  return {
    sizeBytes: layout.sizeBytes,
    read: (offset, length) => {
      const pieces = Array.from(layout.pieces(offset, Math.min(offset + length, layout.sizeBytes)), (piece) =>
        'bytes' in piece ? piece.bytes : readPiece(piece.path, piece.start, piece.end - piece.start),
      )
      const [only = new Uint8Array(0)] = pieces
      return pieces.length > 1 ? Buffer.concat(pieces) : only
    },
    [Symbol.dispose]: close,
  }
}

/** Copies the bytes, because a file source reuses its buffer. */
function readPart(file: FileSource, path: string, offset: number, length: number): Uint8Array {
  const part = file.read(offset, length) as Uint8Array
  if (part.length < length) throw new InputError(`${path} changed while it was being read`)
  return part.slice()
}

const CHUNK_BYTES = 256 * 1024

function sequential(open: () => RandomAccess & Disposable): Pick<GatheredFile, 'read' | 'readFrom'> {
  return { read: () => readChunks(open, 0), readFrom: (start) => readChunks(open, start) }
}

function sha256Of(open: () => RandomAccess & Disposable): string {
  using source = open()
  const hash = createHash('sha256')
  for (let at = 0; at < source.sizeBytes; at += CHUNK_BYTES)
    hash.update(source.read(at, Math.min(CHUNK_BYTES, source.sizeBytes - at)) as Uint8Array)
  return hash.digest('hex')
}

/** Equal for folders with the same files. */
function contentKey(files: readonly PackedPart[]): string {
  const contents = files.map(({ path, sizeBytes, crc32 }) => [path, sizeBytes, crc32])
  return createHash('sha256').update(JSON.stringify(contents)).digest('hex')
}

async function* readChunks(open: () => RandomAccess & Disposable, start: number): AsyncIterable<Uint8Array> {
  using source = open()
  for (let at = start; at < source.sizeBytes; at += CHUNK_BYTES) {
    yield await source.read(at, Math.min(CHUNK_BYTES, source.sizeBytes - at))
  }
}

interface Located {
  readonly path?: string | null | undefined
  readonly message?: string
}

/** Blockers, findings and files with the paths that the user knows, not those in an archive that the user never made. */
export function withOwnPaths<T extends Located>(
  found: readonly T[],
  files: readonly GatheredFile[],
): readonly T[] {
  const names = files.flatMap(({ paths }) => paths)
  const packed = names.filter(({ service }) => service.endsWith('/'))
  const ownPath = (path: string): string => {
    const name = names.find(({ service }) =>
      service.endsWith('/') ? path.startsWith(service) : path === service || path.startsWith(`${service}/`),
    )
    return name === undefined ? path : `${name.own}${path.slice(name.service.length)}`
  }
  const ownText = (text: string): string =>
    packed.reduce((so, { service, own }) => so.replaceAll(service, () => own), text)
  return found.map((one) => ({
    ...one,
    ...(typeof one.path === 'string' ? { path: ownPath(one.path) } : {}),
    ...(one.message === undefined ? {} : { message: ownText(one.message) }),
  }))
}

const TIMEOUT_MS = 3000

/** The upload limit of the plan at the service that the user is logged in to. Undefined if it is not known now. */
export async function knownPlanLimit(terminal: Terminal): Promise<number | undefined> {
  const url = serviceUrl(undefined, terminal)
  const apiKey = knownApiKey(terminal, url)
  if (apiKey === undefined || isUnencrypted(url)) return undefined
  const { createClient } = await import('@kitseal/client')
  const client = createClient({ baseUrl: url, apiKey, timeoutMs: TIMEOUT_MS, retry: { attempts: 1 } })
  return client.me().then(
    ({ plan }) => plan.upload_limit_bytes,
    () => undefined,
  )
}

/** Undefined if the files are within the limit. */
export function tooLarge(
  files: readonly GatheredFile[],
  limitBytes: number,
  whose = 'Your plan allows',
): string | undefined {
  const sizeBytes = totalBytes(files)
  if (sizeBytes <= limitBytes) return undefined
  return `The upload is ${formatBytes(sizeBytes)}. ${whose} ${formatBytes(limitBytes)} for a submission.`
}

export const totalBytes = (files: readonly GatheredFile[]): number =>
  files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
