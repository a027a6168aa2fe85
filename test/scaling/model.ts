// docs/scaling.md
/** Figures that a command of this repository has printed, or that follow from its rows. `docs/scaling.md` says which. */
export const MEASURED = {
  /** `npm run bench:submit -- many`, two small files, with polls. */
  processorMsPerSubmission: 40,
  /** Batches of 1,000 leaves on SQLite. */
  leavesPerSecond: 11_138,
  /** On PostgreSQL, a submission with two files, a label, a tag and a series. */
  databaseBytesPerKit: 12_902,
  kitsTableBytesPerKit: 4827,
  /** Indexes of hashes, words, labels and external IDs. A new kit can touch any page of them. */
  randomIndexBytesPerKit: 1757,
  randomIndexEntriesPerKit: 14,
  /** Objects that a kit adds to the bucket: its evidence, and one with its generated files. */
  objectsPerKit: 3,
  /** `npm run bench:submit -- one`: evidence, and what sealing writes. */
  objectBytesPerKit: 60_000,
} as const

/** What others promise, and a machine to reckon with. An operator puts in their own. */
export const ASSUMED = {
  nodeCores: 2,
  /** A synced commit with its round trips, while the row of the workspace is locked. */
  lockMsPerCommit: 2,
  lockedCommitsPerSubmission: 2,
  /** AWS: requests per second and partition of a prefix that write. */
  s3WritesPerSecond: 3500,
  databaseCacheBytes: 96e9,
  databaseReadsPerSecond: 64_000,
  databaseVolumeBytes: 64 * 2 ** 40,
  postgresTableBytes: 32 * 2 ** 40,
  /** Listing of a bucket, 1,000 names each. */
  s3ListsPerSecond: 20,
  listIntervalSeconds: 21_600,
  /** Of the background scrub. */
  scrubBytesPerSecond: 2_097_152,
  scrubIntervalSeconds: 86_400,
} as const

export interface Station {
  readonly name: string
  /** Work of one submission, in seconds of one server. */
  readonly seconds: number
  readonly servers: number
}

/** What every submission passes through, with 1,000,000,000 kits stored. */
export const STATIONS: readonly Station[] = [
  {
    name: 'processors of a node',
    seconds: MEASURED.processorMsPerSubmission / 1000,
    servers: ASSUMED.nodeCores,
  },
  {
    name: 'row of a workspace',
    seconds: (ASSUMED.lockMsPerCommit * ASSUMED.lockedCommitsPerSubmission) / 1000,
    servers: 1,
  },
  { name: 'prefix of the bucket', seconds: MEASURED.objectsPerKit / ASSUMED.s3WritesPerSecond, servers: 1 },
  {
    name: 'reads of the database volume',
    seconds: MEASURED.randomIndexEntriesPerKit / ASSUMED.databaseReadsPerSecond,
    servers: 1,
  },
  { name: 'sequencer of the log', seconds: 1 / MEASURED.leavesPerSecond, servers: 1 },
]

export interface Store {
  readonly name: string
  /** Kits at which it is full, or too slow. */
  readonly kits: number
}

export const STORES: readonly Store[] = [
  {
    name: 'daily scrub',
    kits: (ASSUMED.scrubBytesPerSecond * ASSUMED.scrubIntervalSeconds) / MEASURED.objectBytesPerKit,
  },
  { name: 'cache of the database', kits: ASSUMED.databaseCacheBytes / MEASURED.randomIndexBytesPerKit },
  {
    name: 'listing of the bucket',
    kits: (ASSUMED.listIntervalSeconds * ASSUMED.s3ListsPerSecond * 1000) / MEASURED.objectsPerKit,
  },
  { name: 'volume of the database', kits: ASSUMED.databaseVolumeBytes / MEASURED.databaseBytesPerKit },
  { name: 'table `kits`', kits: ASSUMED.postgresTableBytes / MEASURED.kitsTableBytesPerKit },
]

const STEP_SECONDS = 0.01

/** The submissions that wait at each station after some time at a constant rate. */
export function backlogs(
  perSecond: number,
  seconds: number,
  stations = STATIONS,
): ReadonlyMap<string, number> {
  const waiting = new Map<string, number>()
  let arriving = 0
  for (let step = 0; step < seconds / STEP_SECONDS; step++) {
    arriving += perSecond * STEP_SECONDS
    for (const { name, seconds: each, servers } of stations) {
      const before = (waiting.get(name) ?? 0) + perSecond * STEP_SECONDS
      waiting.set(name, Math.max(0, before - (servers / each) * STEP_SECONDS))
    }
  }
  const some = arriving / 10_000
  return new Map([...waiting].filter(([, count]) => count > some))
}

/** Stations in the order in which queues begin to grow as the rate rises, and the rate of each, within one percent. */
export function firstToGive(
  stations = STATIONS,
): readonly { readonly name: string; readonly perSecond: number }[] {
  const found: { name: string; perSecond: number }[] = []
  for (let rate = 10; found.length < stations.length; rate *= 1.005)
    for (const name of backlogs(rate, 1, stations).keys())
      if (!found.some((one) => one.name === name)) found.push({ name, perSecond: rate })
  return found
}

/** How many of each station a rate needs. */
export const needed = (perSecond: number): readonly (readonly [name: string, count: number])[] =>
  STATIONS.map(({ name, seconds, servers }) => [name, Math.ceil((perSecond * seconds) / servers)])

/** Two digits, as in the tables. */
export const rounded = (figure: number): string => Number(figure.toPrecision(2)).toLocaleString('en')
