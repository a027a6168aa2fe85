import { isInside, makeFolder } from '@kitseal/kit/internal/node'
import type { Registry } from 'prom-client'
import type { Clock } from './runtime/clock.ts'
import type { Config } from './settings/config.ts'
import { type NodeClock, systemNodeClock } from './database/database-clock.ts'
import { registerClockMetric, skewProblem, type ReadyCheck } from './http/readiness.ts'
import { readFrozen } from './log/freeze-log.ts'
import { type CheckedFolder, checkedFolder, registerDiskMetrics } from './objects/disk-check.ts'
import type { Store } from './open-store.ts'
import type { Work } from './work/run-work.ts'

export interface CheckedNode {
  readonly config: Config
  readonly store: Store
  /** With a custom clock, it is not compared with others. */
  readonly clock?: Clock
  readonly nodeClock?: NodeClock
  worker(): Pick<Work, 'healthy'> | undefined
  /** What it waits for while it starts. */
  waitsFor?(): string | undefined
}

/** What a node needs to be ready, with the metrics of its disks and clock. */
export async function readyChecks(
  node: CheckedNode,
  registry: Registry,
): Promise<Readonly<Record<string, ReadyCheck>>> {
  const { config, store, worker, waitsFor } = node
  // Where neither database nor objects are in it, nothing has created it yet.
  await makeFolder(config.dataFolder).catch(() => {})
  const folders = foldersOf(config)
  const disks = Object.entries(folders).map(([name, path]) =>
    checkedFolder(name, path, node.nodeClock ?? systemNodeClock),
  )
  const clocks = node.clock === undefined ? clockReferences(store, disks) : []
  let checkingDisks: Promise<true | string> | undefined
  registerDiskMetrics(registry, folders, config.minFreeBytes)
  registerClockMetric(registry, clocks)
  return {
    database: async () => {
      await store.db.selectFrom('signing_keys').select('kid').limit(1).execute()
      return true
    },
    objects: async () => {
      await store.objects.check()
      return true
    },
    signing_key: async () => (await store.signingKeys.activeSigner()).kid !== '',
    log: async () => {
      const frozen = await readFrozen(store.db)
      return frozen === undefined || `frozen: ${frozen.reason}`
    },
    work: async () => waitsFor?.() ?? (config.role === 'api' || worker()?.healthy() === true),
    disk: () => (checkingDisks = firstProblem(disks)),
    clock: async () => {
      // It also reads the time of the file system.
      await checkingDisks
      return skewProblem(clocks) ?? true
    },
  }
}

/** Folders that may be on disks of their own. */
export function foldersOf({ dataFolder, objects }: Config): Readonly<Record<string, string>> {
  const isElsewhere = objects.is === 'folder' && !isInside(dataFolder, objects.path)
  return { data: dataFolder, ...(isElsewhere ? { objects: objects.path } : {}) }
}

function clockReferences({ skewMs, objects }: Store, disks: readonly CheckedFolder[]) {
  return [
    { name: "the database's", skewMs },
    ...(objects.skewMs === undefined ? [] : [{ name: "the object store's", skewMs: objects.skewMs }]),
    ...disks.map((disk) => ({ name: "the file server's", skewMs: disk.skewMs })),
  ]
}

async function firstProblem(disks: readonly CheckedFolder[]): Promise<true | string> {
  const results = await Promise.all(disks.map((disk) => disk.check()))
  return results.find((result) => result !== true) ?? true
}
