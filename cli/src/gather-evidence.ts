import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { comparePaths, layOutZip, type RandomAccess, type ZipLayout } from '@kitseal/kit'
import { fileSource, type FileSource, listFolder, type LocalFile, measureFiles } from '@kitseal/kit/node'
import { reason, UnreadableInput } from './unreadable-input.ts'

/** One file as it is sent. */
export interface GatheredFile {
  readonly name: string
  /** Files in it, where it is a folder that is packed on the way. */
  readonly packedFiles?: number
  /** What lies in that folder and goes into no archive. */
  readonly unpackable?: readonly Unpackable[]
  readonly sizeBytes: number
  /** By position, as the rules want it; each holds a file open until it is disposed. */
  open(): RandomAccess & Disposable
  /** From its start, as an upload wants it. */
  read(): AsyncIterable<Uint8Array>
}

export interface Unpackable {
  readonly is: 'link' | 'special' | 'not_utf8'
  /** As a service would call it. */
  readonly path: string
  readonly problem: string
}

/** What was named on the command line, as it is sent: files as they are, a folder as one archive. */
export function gatherEvidence(paths: readonly string[]): readonly GatheredFile[] {
  const gathered = findEvidence(paths)
  const problems = gathered.flatMap(({ unpackable = [] }) => unpackable.map(({ problem }) => problem))
  if (problems.length > 0) throw new UnreadableInput(...problems)
  return gathered
}

/** The same, with what cannot be sent beside it. Names are not judged here: the rules for evidence do that. */
export function findEvidence(paths: readonly string[]): readonly GatheredFile[] {
  const problems: string[] = []
  const gathered = paths.flatMap((path) => {
    try {
      const found = statSync(path)
      if (found.isDirectory()) return [packedFolder(path)]
      // Of a pipe it is not known how much will come, and it comes only once.
      if (!found.isFile()) throw new Error('it is not a regular file: save it as one first')
      return [plainFile(path)]
    } catch (error) {
      if (error instanceof UnreadableInput) problems.push(...error.problems)
      else problems.push(`${path} cannot be read: ${reason(error)}`)
      return []
    }
  })
  for (const [at, { name }] of gathered.entries()) {
    if (gathered.findIndex((other) => other.name === name) < at)
      problems.push(`two of them are called ${name}: put them into a folder, and name that`)
  }
  if (problems.length > 0) throw new UnreadableInput(...problems)
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
  return { name: basename(path), sizeBytes, open, read: () => inPieces(open) }
}

/** An archive has to have a time; with a fixed one, the same folder is the same archive, always and everywhere. */
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
      unpackable.push({ is, path: shown, problem: `${path} cannot be packed: ${below} ${text}` })
    }
  }
  if (!measured.ok || problems.length > 0)
    throw new UnreadableInput(...problems.map((problem) => `${path} cannot be packed: ${problem}`))
  const files = measured.files.toSorted((a, b) => comparePaths(a.path, b.path))
  const layout = layOutZip(folder, files, FIXED_TIME)
  const open = (): RandomAccess & Disposable => openLayout(layout, files)
  const { sizeBytes } = layout
  return { name, packedFiles: files.length, unpackable, sizeBytes, open, read: () => inPieces(open) }
}

/** The archive by position, out of the files themselves: it is never written anywhere. */
function openLayout(layout: ZipLayout, files: readonly LocalFile[]): RandomAccess & Disposable {
  const places = new Map(files.map(({ path, place }) => [path, place]))
  let opened: { readonly place: string; readonly file: FileSource } | undefined
  const close = (): void => {
    opened?.file[Symbol.dispose]()
    opened = undefined
  }
  const fileAt = (place: string): FileSource => {
    if (opened?.place !== place) {
      close()
      opened = { place, file: fileSource(place) }
    }
    return opened.file
  }
  return {
    sizeBytes: layout.sizeBytes,
    read: (offset, length) => {
      const parts: Uint8Array[] = []
      for (const piece of layout.pieces(offset, Math.min(offset + length, layout.sizeBytes))) {
        const place = 'bytes' in piece ? '' : (places.get(piece.path) ?? '')
        parts.push(
          'bytes' in piece
            ? piece.bytes
            : readPart(fileAt(place), place, piece.start, piece.end - piece.start),
        )
      }
      return Buffer.concat(parts)
    },
    [Symbol.dispose]: close,
  }
}

/** A copy: what a file source gives is gone with its next read. */
function readPart(file: FileSource, path: string, offset: number, length: number): Uint8Array {
  const part = file.read(offset, length) as Uint8Array
  if (part.length < length) throw new UnreadableInput(`${path} has changed while it was read`)
  return part.slice()
}

const PIECE_BYTES = 256 * 1024

async function* inPieces(open: () => RandomAccess & Disposable): AsyncIterable<Uint8Array> {
  using source = open()
  for (let at = 0; at < source.sizeBytes; at += PIECE_BYTES) {
    yield await source.read(at, Math.min(PIECE_BYTES, source.sizeBytes - at))
  }
}
