import { randomUUID } from 'node:crypto'
import type { StatsFs } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Registry } from 'prom-client'
import { gauge } from '../runtime/gauges.ts'
import type { Clock } from '../runtime/clock.ts'
import { LIMITS } from '../settings/limits.ts'

const PROBE = new Uint8Array(64 * 1024)

/** A folder that the service writes to. */
export type CheckedFolder = ReturnType<typeof checkedFolder>

/** `name` is for messages, which anyone may read: "data". */
export function checkedFolder(name: string, folder: string, clock: Clock) {
  let skewMs = 0
  return {
    /** True if a file can be written there; otherwise why not. */
    check: async (): Promise<true | string> => {
      try {
        skewMs = await writeProbe(folder, clock)
        return true
      } catch (error) {
        const code = String((error as NodeJS.ErrnoException).code)
        return `the disk of the ${name} folder is ${PROBLEMS[code] ?? `not writable: ${code}`}`
      }
    },
    /** By how much the node's clock is ahead of the file system's, which may be on another machine. */
    skewMs: (): number => skewMs,
  }
}

const PROBLEMS: Readonly<Record<string, string | undefined>> = {
  ENOSPC: 'full',
  EDQUOT: 'over its quota',
  EROFS: 'read-only',
}

/** Writes a file and returns by how much the clock is ahead of its time. The file has no name, so a crash leaves nothing. */
async function writeProbe(folder: string, clock: Clock): Promise<number> {
  const path = join(folder, `.probe-${randomUUID()}`)
  const before = clock.now()
  await using file = await open(path, 'wx', 0o600)
  await rm(path, { force: true })
  await file.write(PROBE)
  const { mtimeMs } = await file.stat()
  const after = clock.now()
  if (mtimeMs < before) return before - mtimeMs
  return mtimeMs > after ? after - mtimeMs : 0
}

/** Space on the disks of folders, by name. */
export function registerDiskMetrics(
  registry: Registry,
  folders: Readonly<Record<string, string>>,
  minFreeBytes: number | undefined,
): void {
  const perDisk = (name: string, help: string, bytesOf: (disk: StatsFs) => number): void => {
    const read = async () => {
      const disks = Object.entries(folders).map(async ([folder, path]) => {
        const disk = await statfs(path).catch(() => undefined)
        return disk === undefined ? [] : ([[folder, bytesOf(disk)]] as const)
      })
      return new Map((await Promise.all(disks)).flat())
    }
    gauge(registry, name, help, read, 'folder')
  }
  perDisk(
    'kitseal_disk_free_bytes',
    'Bytes that the service can still write to the disk.',
    (disk) => disk.bavail * disk.bsize,
  )
  perDisk('kitseal_disk_size_bytes', 'Size of the disk.', (disk) => disk.blocks * disk.bsize)
  perDisk('kitseal_disk_reserve_bytes', 'Bytes that are kept free: below, uploads are refused.', (disk) =>
    keptFree(disk, minFreeBytes),
  )
}

/** Whether the disks have the space that is kept free, so that the database, the log and running jobs can go on. */
export interface FreeSpace extends Disposable {
  isLow(): boolean
}

const LOOK_EVERY_MS = 500
const GIB = 1024 ** 3

/** Looks at the disks of these folders twice a second. `minFreeBytes` undefined: the default of `LIMITS.freeSpace`. */
export async function watchFreeSpace(
  folders: readonly string[],
  minFreeBytes: number | undefined,
): Promise<FreeSpace> {
  let low = false
  const look = async (): Promise<void> => {
    const disks = await Promise.all(folders.map((folder) => statfs(folder).catch(() => undefined)))
    low = disks.some((disk) => {
      return disk !== undefined && disk.bavail * disk.bsize < keptFree(disk, minFreeBytes)
    })
  }
  await look()
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref()
  return { isLow: () => low, [Symbol.dispose]: () => clearInterval(timer) }
}

/** Bytes that are kept free on a disk. */
const keptFree = (
  disk: { readonly blocks: number; readonly bsize: number },
  minFreeBytes: number | undefined,
): number => minFreeBytes ?? Math.min(GIB, disk.blocks * disk.bsize * LIMITS.freeSpace.value)
