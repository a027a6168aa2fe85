import { statfs } from 'node:fs/promises'
import { LIMITS } from '../settings/limits.ts'

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
export const keptFree = (
  disk: { readonly blocks: number; readonly bsize: number },
  minFreeBytes: number | undefined,
): number => minFreeBytes ?? Math.min(GIB, disk.blocks * disk.bsize * LIMITS.freeSpace.value)
