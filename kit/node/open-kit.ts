import type { Why } from '../src/texts/english.ts'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { EntryContent } from '../src/encoding/zip-content.ts'
import { type KitFiles, type Measurements, openZipWith, storedKit } from '../src/kit-files.ts'
import { comparePaths } from '../src/paths.ts'
import type { VerificationReport } from '../src/report.ts'
import type { Trust } from '../src/trust.ts'
import { verifyKit } from '../src/verify.ts'
import { hashInParallel, isLarge } from './hash-files.ts'
import type { Hashed, ZipTask } from './hash-threads.ts'
import { fileChunks, fileSource } from './read-files.ts'
import { nodeHost } from './node-host.ts'
import { walkFolder } from './measure-folder.ts'

export interface OpenKitOptions {
  /** Called with the bytes hashed so far. */
  readonly onProgress?: (bytes: number) => void
}

/**
 * Opens a kit on disk, a zip or a folder. Throws only if there is nothing to read at `path`.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { openKit } from '@kitseal/kit/node'
 *
 * using kit = await openKit('kit.zip')
 * assert.ok(kit.files.some(({ path }) => path === 'data/users.csv'))
 * ```
 */
export async function openKit(path: string, options: OpenKitOptions = {}): Promise<KitFiles & Disposable> {
  const found = statSync(path)
  if (found.isDirectory()) return openFolder(path, options)
  // A pipe cannot be read by position.
  if (!found.isFile()) throw new Error('not a regular file: save the kit to a file first')
  return openArchive(path, options)
}

async function openArchive(path: string, { onProgress }: OpenKitOptions): Promise<KitFiles & Disposable> {
  const source = fileSource(path)
  // Started early: threads come up while the zip directory and the manifest are read.
  const threads = isLarge(source.sizeBytes) ? (await import('./hash-threads.ts')).startThreads() : undefined
  const kit = await openZipWith(source, nodeHost, async ({ entries, offset }, order) => {
    const wanted = new Set(entries.map(({ name }) => name).filter((name) => order.wanted(name)))
    const trustedCrc32 = new Map<string, number>()
    for (const { name } of entries) {
      const crc32 = order.trustedCrc32(name)
      if (crc32 !== undefined) trustedCrc32.set(name, crc32)
    }
    const task: ZipTask = { kind: 'zip', path, entries, end: offset, wanted, trustedCrc32 }
    return (await hashInParallel(task, onProgress, threads)) as readonly EntryContent[]
  })
  const close = (): void => {
    threads?.[Symbol.dispose]()
    source[Symbol.dispose]()
  }
  return { ...kit, [Symbol.dispose]: close }
}

function openFolder(folder: string, { onProgress }: OpenKitOptions): KitFiles & Disposable {
  const found = walkFolder(folder).toSorted((a, b) => comparePaths(a.path, b.path))
  const problems = found.flatMap(({ path, problem }) =>
    problem === undefined ? [] : [`${path} ${problem.text}`],
  )
  const files = found.filter(({ isFile }) => isFile).map(({ path, sizeBytes }) => ({ path, sizeBytes }))
  const paths = new Set(files.map(({ path }) => path))
  const open = (path: string): Iterable<Uint8Array> => {
    // Never opens symbolic links.
    if (!paths.has(path)) throw new Error(`${path} is missing`)
    return fileChunks(join(folder, path))
  }
  const kit = storedKit(files, open, nodeHost)
  return {
    ...kit,
    problems: [...problems, ...kit.problems],
    measure: async ({ wanted }) => {
      const some = files
        .filter(({ path }) => wanted(path))
        .map(({ path, sizeBytes }) => ({ path, sizeBytes, diskPath: join(folder, path) }))
      return collect(await hashInParallel({ kind: 'files', files: some, withCrc32: false }, onProgress))
    },
    [Symbol.dispose]: () => undefined,
  }
}

function collect(measured: readonly Hashed[]): Measurements {
  const sha256 = new Map<string, string>()
  const problems: Why[] = []
  for (const result of measured) {
    if ('path' in result && result.sha256 !== undefined) sha256.set(result.path, result.sha256)
    if (result.problem !== undefined) problems.push(result.problem)
  }
  return { sha256, problems }
}

/**
 * Verifies a kit on disk, a zip or a folder. Large kits are hashed on all cores.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { trustKeys } from '@kitseal/kit'
 * import { readKeySet, verifyKitFile } from '@kitseal/kit/node'
 *
 * const report = await verifyKitFile('kit.zip', trustKeys(readKeySet('issuer.jwks.json')))
 * assert.equal(report.status, 'PASS')
 * ```
 */
export async function verifyKitFile(
  path: string,
  trust: Trust,
  options?: OpenKitOptions,
): Promise<VerificationReport> {
  using kit = await openKit(path, options)
  return await verifyKit(kit, trust, nodeHost)
}
