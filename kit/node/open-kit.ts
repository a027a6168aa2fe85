import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type KitFiles, measurements, openZipWith, storedKit } from '../src/kit-files.ts'
import { comparePaths } from '../src/paths.ts'
import type { VerificationReport } from '../src/report.ts'
import type { Trust } from '../src/trust.ts'
import { verifyKit } from '../src/verify.ts'
import { hashInParallel, isLarge } from './hash-files.ts'
import { fileChunks, fileSource } from './read-files.ts'
import { nodeHost } from './node-host.ts'
import { walkFolder } from './measure-folder.ts'

interface OpenKitOptions {
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
  const kit = await openZipWith(source, nodeHost, ({ entries, offset }, order) =>
    hashInParallel({ kind: 'zip', path, entries, end: offset, order }, onProgress, threads),
  )
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
        .filter(({ path }) => wanted.has(path))
        .map(({ path, sizeBytes }) => ({ path, sizeBytes, diskPath: join(folder, path) }))
      return measurements(
        await hashInParallel({ kind: 'files', files: some, checksums: ['sha256'] }, onProgress),
      )
    },
    [Symbol.dispose]: () => undefined,
  }
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
export async function verifyKitFile(path: string, trust: Trust): Promise<VerificationReport> {
  using kit = await openKit(path)
  return await verifyKit(kit, trust, nodeHost)
}
