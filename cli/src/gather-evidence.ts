import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { comparePaths, layOutZip, type RandomAccess, type ZipLayout } from '@kitseal/kit'
import { fileSource, type FileSource } from '@kitseal/kit/node'
import { listFolder, type LocalFile, measureFiles } from '@kitseal/kit/node'
import { describeError, InputError } from './input-error.ts'

/** A file to upload. */
export interface GatheredFile {
  readonly name: string
  /** The number of files in it, if it is a folder packed as a ZIP. */
  readonly packedFiles?: number
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
}

export interface Unpackable {
  readonly is: 'link' | 'special' | 'not_utf8'
  /** The path that the service would report. */
  readonly path: string
  readonly problem: string
}

/** The files to upload: files as they are, a folder as one ZIP. Throws if something cannot be packed. */
export function gatherEvidence(paths: readonly string[]): readonly GatheredFile[] {
  const gathered = findEvidence(paths)
  const problems = gathered.flatMap(({ unpackable = [] }) => unpackable.map(({ problem }) => problem))
  if (problems.length > 0) throw new InputError(...problems)
  return gathered
}

/** Like `gatherEvidence`, but lists entries that cannot be packed instead of throwing. Names are not checked here. */
export function findEvidence(paths: readonly string[]): readonly GatheredFile[] {
  const problems: string[] = []
  const gathered = paths.flatMap((path) => {
    try {
      const found = statSync(path)
      if (found.isDirectory()) return [packedFolder(path)]
      // The size of a pipe is unknown, and it cannot be read twice.
      if (!found.isFile()) throw new Error('it is not a regular file. Save it to a file first.')
      return [plainFile(path)]
    } catch (error) {
      if (error instanceof InputError) problems.push(...error.problems)
      else problems.push(`cannot read ${path}: ${describeError(error)}`)
      return []
    }
  })
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
  const resumeKey = `modified ${statSync(path).mtimeMs}`
  return { name: basename(path), sizeBytes, open, ...sequential(open), resumeKey }
}

/** A fixed time makes the archive of a folder reproducible. */
const FIXED_TIME = '1980-01-01T00:00:00.000Z'

function packedFolder(path: string): GatheredFile {
  const folder = basename(resolve(path)) || 'evidence'
  const name = `${folder}.zip`
  const listed = listFolder(path)
  const measured = measureFiles(listed.files)
  const unpackable: Unpackable[] = []
  const problems = measured.ok ? [] : [...measured.problems]
  for (const { path: below, problem } of listed.others) {
    const { is, text } = problem
    if (is === 'unreadable') problems.push(`${below} ${text}`)
    else {
      const shown = `${name}/${folder}/${below}`
      unpackable.push({ is, path: shown, problem: `cannot pack ${path}: ${below} ${text}` })
    }
  }
  if (!measured.ok || problems.length > 0)
    throw new InputError(...problems.map((problem) => `cannot pack ${path}: ${problem}`))
  const files = measured.files.toSorted((a, b) => comparePaths(a.path, b.path))
  const layout = layOutZip(folder, files, FIXED_TIME)
  const open = (): RandomAccess & Disposable => openLayout(layout, files)
  const { sizeBytes } = layout
  const resumeKey = `files ${contentKey(files)}`
  return { name, packedFiles: files.length, unpackable, sizeBytes, open, ...sequential(open), resumeKey }
}

/** Random access to the archive, generated from the files on the fly. */
function openLayout(layout: ZipLayout, files: readonly LocalFile[]): RandomAccess & Disposable {
  const diskPaths = new Map(files.map(({ path, diskPath }) => [path, diskPath]))
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
  return {
    sizeBytes: layout.sizeBytes,
    read: (offset, length) => {
      const parts: Uint8Array[] = []
      for (const piece of layout.pieces(offset, Math.min(offset + length, layout.sizeBytes))) {
        const diskPath = 'bytes' in piece ? '' : (diskPaths.get(piece.path) ?? '')
        parts.push(
          'bytes' in piece
            ? piece.bytes
            : readPart(fileAt(diskPath), diskPath, piece.start, piece.end - piece.start),
        )
      }
      return Buffer.concat(parts)
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

/** Equal for folders with the same files. */
function contentKey(files: readonly LocalFile[]): string {
  const contents = files.map(({ path, sizeBytes, crc32 }) => [path, sizeBytes, crc32])
  return createHash('sha256').update(JSON.stringify(contents)).digest('hex')
}

async function* readChunks(open: () => RandomAccess & Disposable, start: number): AsyncIterable<Uint8Array> {
  using source = open()
  for (let at = start; at < source.sizeBytes; at += CHUNK_BYTES) {
    yield await source.read(at, Math.min(CHUNK_BYTES, source.sizeBytes - at))
  }
}
