import type { Why } from './texts/english.ts'
import { copyBytes, copyInput, hex, joined } from './encoding/bytes.ts'
import { type Hashed, type HashOrder, readEntry, scanEntries, type ZipOrder } from './encoding/zip-content.ts'
import { readZipDirectory, type ZipDirectory } from './encoding/zip-directory.ts'
import { type ZipEntry, ZipProblem } from './encoding/zip-format.ts'
import type { RandomAccess } from './encoding/zip-fields.ts'
import type { Host } from './host.ts'
import { comparePaths, pathCollisions } from './paths.ts'

/** A kit to read: a zip, a folder, an object store. Paths are relative to the kit's folder. */
export interface KitFiles {
  readonly files: readonly KitFile[]
  /** The name of the folder in an archive; undefined if the folder may have any name. */
  readonly folderName?: string | undefined
  /** Why the archive or folder is unreadable or ambiguous. */
  readonly problems: readonly Why[]
  /** Reads a small file. */
  read(path: string, limitBytes: number): Promise<Uint8Array>
  /** Hashes the wanted files, once, in any order. */
  measure(order: HashOrder): Promise<Measurements>
}

export interface KitFile {
  readonly path: string
  readonly sizeBytes: number
}

interface Measurements {
  /** SHA-256 in hex of each wanted file that could be read, by path. */
  readonly sha256: ReadonlyMap<string, string>
  /** Problems found while hashing. */
  readonly problems: readonly Why[]
}

/** A kit whose files are stored one by one: a folder picked in a page, an object store. */
export function storedKit(
  stored: readonly KitFile[],
  open: (path: string) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  host: Host,
  onProgress?: (bytes: number) => void,
): KitFiles {
  // Sorted, so that the report does not depend on where the kit is stored.
  const files = copyInput(stored).toSorted((a, b) => comparePaths(a.path, b.path))
  return {
    files,
    problems: pathCollisions(files.map(({ path }) => path)),
    read: async (path, limitBytes) => readAll(open(path), path, limitBytes),
    measure: async ({ wanted }) => {
      const sha256 = new Map<string, string>()
      const problems: Why[] = []
      for (const { path } of files) {
        if (!wanted.has(path)) continue
        try {
          const hash = host.sha256()
          for await (const bytes of open(path)) {
            hash.update(bytes)
            onProgress?.(bytes.length)
          }
          sha256.set(path, hex(await hash.digest()))
        } catch (error) {
          problems.push(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
      return { sha256, problems }
    },
  }
}

async function readAll(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  path: string,
  limitBytes: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const bytes of chunks) {
    length += bytes.length
    if (length > limitBytes) throw new Error(`${path} is larger than ${limitBytes} bytes`)
    parts.push(copyBytes(bytes))
  }
  return joined(parts)
}

/** Hashes the entries of a whole archive. */
type ScanZip = (directory: ZipDirectory, order: ZipOrder) => Promise<readonly Hashed[]>

/**
 * Opens a kit in a zip archive. Problems in the archive are reported, never thrown.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readFileSync } from 'node:fs'
 * import { openZip, trustKeys, verifyKit, webHost } from '@kitseal/kit'
 * import { readKeySet } from '@kitseal/kit/node'
 *
 * const zip = readFileSync('kit.zip')
 * const source = { sizeBytes: zip.length, read: (at: number, length: number) => zip.subarray(at, at + length) }
 * const kit = await openZip(source, webHost)
 * const report = await verifyKit(kit, trustKeys(readKeySet('issuer.jwks.json')), webHost)
 * assert.equal(report.status, 'PASS')
 * ```
 */
export async function openZip(source: RandomAccess, host: Host): Promise<KitFiles> {
  return openZipWith(source, host, ({ entries, offset }, order) =>
    scanEntries(source, entries, offset, order, host),
  )
}

/** Only for this package: Node hashes a large archive on all cores. */
export async function openZipWith(source: RandomAccess, host: Host, scan: ScanZip): Promise<KitFiles> {
  try {
    return zipKit(source, await readZipDirectory(source), host, scan)
  } catch (error) {
    if (error instanceof ZipProblem) return unreadableKit(error.message)
    throw error
  }
}

/** A kit that cannot be read: verifying it gives a FAIL with this problem. */
export function unreadableKit(problem: string): KitFiles {
  return {
    files: [],
    problems: [problem],
    read: () => Promise.reject(new ZipProblem(problem)),
    measure: async () => ({ sha256: new Map(), problems: [] }),
  }
}

function zipKit(source: RandomAccess, directory: ZipDirectory, host: Host, scan: ScanZip): KitFiles {
  const folderName = directory.entries[0]?.name.split('/', 1)[0] ?? ''
  const prefix = `${folderName}/`
  const byPath = new Map<string, ZipEntry>()
  const problems: Why[] = []
  for (const entry of directory.entries) {
    if (!entry.name.startsWith(prefix)) problems.push(`${entry.name} is outside the kit's folder`)
    else if (!entry.isFolder) byPath.set(entry.name.slice(prefix.length), entry)
  }
  return {
    files: [...byPath].map(([path, { sizeBytes }]) => ({ path, sizeBytes })),
    folderName,
    problems: [...problems, ...emptyFolders(directory.entries), ...pathCollisions([...byPath.keys()])],
    read: async (path, limitBytes) => {
      const entry = byPath.get(path)
      if (entry === undefined) throw new ZipProblem(`${path} is not in the archive`)
      return readEntry(source, entry, limitBytes, host)
    },
    measure: async (order) => measurements(await scan(directory, { ...order, prefix })),
  }
}

/** Folder entries are allowed only for folders with files: nothing signs the name of an empty folder. */
function emptyFolders(entries: readonly ZipEntry[]): readonly string[] {
  // Sorted, so that the files in a folder follow it.
  const names = entries.map(({ name }) => name).toSorted()
  const empty = names.filter((name, at) => name.endsWith('/') && !names[at + 1]?.startsWith(name))
  return empty.map((name) => `${name} is an empty folder`)
}

export function measurements(contents: readonly Hashed[]): Measurements {
  const sha256 = new Map<string, string>()
  const problems: Why[] = []
  for (const { path, sha256: hash, problem } of contents) {
    if (hash !== undefined) sha256.set(path, hash)
    if (problem !== undefined) problems.push(problem)
  }
  return { sha256, problems }
}
