import type { EntryContent, ScanRequest } from './encoding/zip-content.ts'
import { readEntry, scanEntries } from './encoding/zip-content.ts'
import { readZipDirectory, type ZipDirectory } from './encoding/zip-directory.ts'
import type { ZipEntry } from './encoding/zip-entry.ts'
import type { RandomAccess } from './encoding/zip-fields.ts'
import { ZipProblem } from './encoding/zip-problem.ts'
import type { KitFiles, Measurements, MeasureRequest } from './files.ts'
import type { Host } from './host.ts'
import { pathCollisions } from './paths.ts'

/** Hashes the entries of a whole archive. */
type ScanZip = (directory: ZipDirectory, order: ScanRequest) => Promise<readonly EntryContent[]>

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
  const problems: string[] = []
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
    measure: async (order) => collect(await scan(directory, scanOrder(order, prefix)), prefix),
  }
}

/** Folder entries are allowed only for folders with files: nothing signs the name of an empty folder. */
function emptyFolders(entries: readonly ZipEntry[]): readonly string[] {
  // Sorted, so that the files in a folder follow it.
  const names = entries.map(({ name }) => name).toSorted()
  const empty = names.filter((name, at) => name.endsWith('/') && !names[at + 1]?.startsWith(name))
  return empty.map((name) => `${name} is an empty folder`)
}

function scanOrder(order: MeasureRequest, prefix: string): ScanRequest {
  const path = (name: string): string => name.slice(prefix.length)
  return {
    wanted: (name) => order.wanted(path(name)),
    trustedCrc32: (name) => order.trustedCrc32.get(path(name)),
  }
}

function collect(contents: readonly EntryContent[], prefix: string): Measurements {
  const sha256 = new Map<string, string>()
  const problems: string[] = []
  for (const { name, sha256: hash, problem } of contents) {
    if (hash !== undefined) sha256.set(name.slice(prefix.length), hash)
    if (problem !== undefined) problems.push(problem)
  }
  return { sha256, problems }
}
