import { noteBytes, parseCheckpoint, TILE_WIDTH, utf8 } from '@kitseal/kit/internal'
import { InputError } from '../input-error.ts'
import { type Alert, AlertList, LogAlert } from './alert.ts'
import { checkLeaf } from './check-leaf.ts'
import { fetchLimited, type FetchSettings } from './fetch-limited.ts'
import type { FollowedLog } from './followed-log.ts'
import type { Mirror } from './mirror-log.ts'
import type { MonitorState, Seen } from './monitor-state.ts'
import { type Checkpoints, quorumTime, readCheckpoints } from './read-checkpoints.ts'
import { equal, openTree, type VerifiedTree } from './verified-tree.ts'

/** How many leaves are saved at once, and checked in one run. More of a large log follow in the next run. */
const LEAVES_PER_COMMIT = 256 * TILE_WIDTH
const COMMITS_PER_RUN = 32

export interface CheckSettings extends FetchSettings {
  readonly state: MonitorState
  readonly mirror: Mirror | undefined
  readonly maxAgeMs: number | undefined
  /** The receipts that should be in the log, in hex. */
  readonly receipts: ReadonlySet<string> | undefined
  /** The key IDs that the issuer publishes, also of revoked keys. */
  readonly publishedKids: () => Promise<ReadonlySet<string>>
  readonly now: () => number
  /** Must succeed before anything is saved, so that no alert is lost. */
  readonly deliver: (alerts: readonly Alert[]) => Promise<void>
}

export interface LogCheck {
  readonly checkpoints: Checkpoints
  readonly newLeaves: number
  /** Leaves that the next run will check. */
  readonly leavesLeft: number
}

/** Checks what is new in a log. Throws LogAlert if it is not the log that was seen before. */
export async function checkLog(log: FollowedLog, settings: CheckSettings): Promise<LogCheck> {
  const { state, mirror } = settings
  state.begin()
  try {
    const seen = state.seen()
    const knownSizes = [
      seen === undefined ? 0 : parseCheckpoint(seen.note).size,
      mirror?.checkpoint()?.size ?? 0,
    ]
    const checkpoints = await readCheckpoints(log, Math.max(...knownSizes), settings)
    const tree = await provenTree(log, checkpoints, seen, settings)
    const changedAt = seen === undefined || grew(seen, checkpoints) ? settings.now() : seen.changedAt
    const { note, checkpoint } = checkpoints.served
    const next = { issuer: log.issuer, vkey: log.vkey, note, changedAt }
    const first = seen?.processed ?? 0
    const end = Math.min(checkpoint.size, first + COMMITS_PER_RUN * LEAVES_PER_COMMIT)
    for (let from = first; ;) {
      const to = Math.min(end, from + LEAVES_PER_COMMIT)
      const alerts = new AlertList()
      await checkLeaves(tree, from, to, alerts, settings)
      if (to === end) {
        checkConditions(log, checkpoints, changedAt, alerts, settings)
        if (end === checkpoint.size) await mirror?.complete(tree, note)
      }
      await settings.deliver(alerts.all())
      state.commit({ ...next, processed: to })
      if (to === end) return { checkpoints, newLeaves: end - first, leavesLeft: checkpoint.size - end }
      from = to
      state.begin()
    }
  } finally {
    state.rollback()
  }
}

function grew({ note }: Seen, { served }: Checkpoints): boolean {
  return parseCheckpoint(note).size !== served.checkpoint.size
}

/** The tree of the served checkpoint, which contains the tree seen before and those that witnesses have seen. */
async function provenTree(
  log: FollowedLog,
  { served, witnesses }: Checkpoints,
  seen: Seen | undefined,
  settings: CheckSettings,
): Promise<VerifiedTree> {
  const mirrored = settings.mirror?.checkpoint()
  if (mirrored !== undefined && mirrored.origin !== served.checkpoint.origin)
    throw new InputError(`the mirror is of the log ${mirrored.origin}. Use another --mirror.`)
  const known = [
    ...(seen === undefined
      ? []
      : [{ by: 'seen', who: 'this monitor', note: seen.note, head: parseCheckpoint(seen.note) }]),
    ...(mirrored === undefined
      ? []
      : [{ by: 'mirror', who: 'the mirror', note: noteBytes(mirrored), head: mirrored }]),
    ...witnesses.map(({ witness, note, checkpoint }) => ({
      by: 'witness',
      who: `the witness ${witness}`,
      note,
      head: checkpoint,
    })),
  ]
  const { size, root } = served.checkpoint
  for (const { by, who, note, head } of known) {
    if (head.size === size && !equal(head.root, root))
      throw new LogAlert('fork', `the log signed two trees of size ${size}: ${who} has seen another one`, {
        [`${by}.checkpoint`]: note,
        'served.checkpoint': served.note,
      })
    if (head.size > size)
      throw new LogAlert('rollback', `the log has ${size} leaves, but ${who} has seen ${head.size}`, {
        [`${by}.checkpoint`]: note,
        'served.checkpoint': served.note,
      })
  }
  const read = (path: string, limit: number) => fetchLimited(`${log.url}/${path}`, limit, settings)
  const tree = await openTree(served.checkpoint, read)
  for (const { by, who, note, head } of known) {
    const rootThen = await tree.rootAt(head.size)
    if (!equal(rootThen, head.root))
      throw new LogAlert(
        'fork',
        `the log of size ${size} does not contain the one of size ${head.size} that ${who} has seen`,
        {
          [`${by}.checkpoint`]: note,
          'served.checkpoint': served.note,
          'served.consistency': consistencyFile(head.size, rootThen, await tree.consistencyProof(head.size)),
        },
      )
  }
  return tree
}

/** Shows which root the served tree has at the size of the other: the size, that root, and the proof, in base64. */
function consistencyFile(size: number, root: Uint8Array, proof: readonly Uint8Array[]): Uint8Array {
  return utf8(
    [String(size), ...[root, ...proof].map((hash) => Buffer.from(hash).toString('base64')), ''].join('\n'),
  )
}

async function checkLeaves(
  tree: VerifiedTree,
  from: number,
  to: number,
  alerts: AlertList,
  { state, mirror, publishedKids, signal }: CheckSettings,
): Promise<void> {
  if (from === to) return
  const published = await publishedKids()
  for (let bundle = Math.floor(from / TILE_WIDTH); bundle * TILE_WIDTH < to; bundle++) {
    signal.throwIfAborted()
    const { entries, bytes } = await tree.entries(bundle)
    await mirror?.keep({ level: 'entries', index: bundle, width: entries.length }, bytes)
    for (const [at, entry] of entries.entries()) {
      const index = bundle * TILE_WIDTH + at
      if (index >= from && index < to) checkLeaf(entry, index, state, published, alerts)
    }
  }
}

/** What holds at a time, not for a leaf: it is reported in every run until it ends. */
function checkConditions(
  { policy }: FollowedLog,
  { cosigned, quorumMet, witnesses }: Checkpoints,
  changedAt: number,
  alerts: AlertList,
  { state, receipts, maxAgeMs, now }: CheckSettings,
): void {
  if (receipts !== undefined) {
    for (const { index, sha256 } of state.unlisted()) {
      if (receipts.has(sha256)) state.markListed(index)
      else
        alerts.add({
          code: 'receipt_unlisted',
          message: `leaf ${index}: the receipt ${sha256} is not on your list`,
          index,
        })
    }
  }
  if (!quorumMet) {
    const names = [...new Set(cosigned.map(({ name }) => name))]
    const who = names.length === 0 ? 'no witness' : names.join(', ')
    alerts.add({
      code: 'quorum_lost',
      message: `${who} cosigned the checkpoint, which is less than the policy asks for`,
    })
  }
  const vouched = [...cosigned, ...witnesses.flatMap((view) => view.cosigned)]
  const seconds = policy.quorum === undefined ? undefined : quorumTime(policy.quorum, vouched)
  const last = seconds === undefined ? changedAt : seconds * 1000
  if (maxAgeMs !== undefined && now() - last > maxAgeMs) {
    const what = seconds === undefined ? 'the log has not grown' : 'witnesses have not cosigned'
    alerts.add({ code: 'stale', message: `${what} since ${new Date(last).toISOString()}` })
  }
}
