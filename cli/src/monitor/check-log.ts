import {
  hex,
  type LogPolicy,
  noteBytes,
  parseCheckpoint,
  parseJwks,
  parseLeaf,
  parseStrictJson,
  type SignedCheckpoint,
  TILE_WIDTH,
  utf8,
} from '@kitseal/kit/internal'
import { describeError, InputError } from '../input-error.ts'
import {
  type Alert,
  LogAlert,
  quorumTime,
  readCheckpoint,
  readFromIssuer,
  type VerifiedCheckpoint,
} from '../log/read-checkpoint.ts'
import { openTree, type VerifiedTree } from '../log/verified-tree.ts'
import type { Mirror } from './mirror-log.ts'
import type { MonitorState } from './monitor-state.ts'

/** More leaves of a large log are checked in the next run. */
const LEAVES_PER_RUN = 8192 * TILE_WIDTH
const KEY_SET_LIMIT_BYTES = 4 * 1024 * 1024

export interface MonitoredLog {
  readonly issuer: string
  readonly vkey: string
  /** With this log only. */
  readonly policy: LogPolicy
}

interface LogMonitor extends MonitoredLog {
  readonly state: MonitorState
  readonly mirror: Mirror | undefined
  readonly maxAgeMs: number | undefined
  readonly signal: AbortSignal
  /** Prints alerts. What was checked is saved after it, so that no alert is lost. */
  readonly report: (alerts: readonly Alert[]) => void
}

export type LogCheck = Awaited<ReturnType<typeof checkLog>>

/** Checks what is new in a log. Throws LogAlert if it is not the log that was seen before. */
export async function checkLog(monitor: LogMonitor) {
  const { issuer, vkey, policy, state, mirror, signal } = monitor
  const { seen } = state
  const last = seen === undefined ? undefined : parseCheckpoint(seen.note)
  const mirrored = mirror?.checkpoint()
  const url = `${issuer}/log`
  const served = await readCheckpoint(url, policy, Math.max(last?.size ?? 0, mirrored?.size ?? 0), signal)
  const { size, origin } = served.checkpoint
  if (mirrored !== undefined && mirrored.origin !== origin)
    throw new InputError(`the mirror is of the log ${mirrored.origin}. Use another --mirror.`)
  const known = { 'this monitor': last, 'the mirror': mirrored }
  const tree = await provenTree(url, served, known, signal)
  const changedAt = seen === undefined || last?.size !== size ? Date.now() : seen.changed_at
  const first = seen?.processed ?? 0
  const end = Math.min(size, first + LEAVES_PER_RUN)
  const alerts = first === end ? [] : await checkLeaves(tree, first, end, monitor)
  if (end === size) await mirror?.complete(tree, served.note)
  monitor.report([...alerts, ...conditions(served, changedAt, monitor)])
  state.save({ issuer, vkey, note: served.note, changed_at: changedAt, processed: end })
  // The next run checks those that are left.
  return { served, newLeaves: end - first, leavesLeft: size - end }
}

/** The tree of the served checkpoint, which contains the trees that others have seen. */
async function provenTree(
  url: string,
  served: VerifiedCheckpoint,
  known: Readonly<Record<string, SignedCheckpoint | undefined>>,
  signal: AbortSignal,
): Promise<VerifiedTree> {
  const { size, root } = served.checkpoint
  const trees = Object.entries(known).flatMap(([who, head]) =>
    head === undefined
      ? []
      : [{ who, head, notes: { 'seen.checkpoint': noteBytes(head), 'served.checkpoint': served.note } }],
  )
  for (const { who, head, notes } of trees) {
    if (head.size > size)
      throw new LogAlert('rollback', `the log has ${size} leaves, but ${who} has seen ${head.size}`, notes)
    const twoTrees = `the log signed two trees of size ${size}: ${who} has seen another one`
    if (head.size === size && hex(head.root) !== hex(root)) throw new LogAlert('fork', twoTrees, notes)
  }
  const tree = await openTree(url, served.checkpoint, signal)
  for (const { who, head, notes } of trees) {
    const rootThen = await tree.rootAt(head.size)
    if (hex(rootThen) === hex(head.root)) continue
    const message = `the log of size ${size} does not contain the one of size ${head.size} that ${who} has seen`
    // Which root the served tree has at the size of the other: the size, that root, and the proof, in base64.
    const hashes = [rootThen, ...(await tree.consistencyProof(head.size))]
    const lines = [String(head.size), ...hashes.map((hash) => Buffer.from(hash).toString('base64')), '']
    throw new LogAlert('fork', message, { ...notes, 'served.consistency': utf8(lines.join('\n')) })
  }
  return tree
}

async function checkLeaves(
  tree: VerifiedTree,
  from: number,
  to: number,
  { issuer, state, mirror, signal }: LogMonitor,
): Promise<readonly Alert[]> {
  const published = await publishedKids(issuer, signal)
  const alerts: Alert[] = []
  for (let bundle = Math.floor(from / TILE_WIDTH); bundle * TILE_WIDTH < to; bundle++) {
    signal.throwIfAborted()
    const { entries, bytes } = await tree.entries(bundle)
    await mirror?.keep({ level: 'entries', index: bundle, width: entries.length }, bytes)
    for (const [at, entry] of entries.entries()) {
      const index = bundle * TILE_WIDTH + at
      if (index >= from && index < to) alerts.push(...checkLeaf(entry, index, state, published))
    }
  }
  return alerts
}

/** Checks one leaf against those before it, and records it. */
function checkLeaf(
  entry: Uint8Array,
  index: number,
  state: MonitorState,
  published: ReadonlySet<string>,
): readonly Alert[] {
  const alerts: Alert[] = []
  const alert = (code: Alert['code'], text: string) =>
    alerts.push({ code, message: `leaf ${index}: ${text}`, index })
  let leaf: ReturnType<typeof parseLeaf> | undefined
  try {
    leaf = parseLeaf(entry)
  } catch (error) {
    alert('leaf_invalid', describeError(error))
  }
  if (leaf?.kind === 'key' && leaf.event === 'added') state.addKey(leaf.kid, index)
  if (leaf?.kind !== 'receipt') return alerts
  const signed = `the receipt ${leaf.receipt_sha256} is signed with the key ${leaf.kid}, which`
  if (!state.hasKey(leaf.kid)) alert('unknown_kid', `${signed} was not added to the log before`)
  else if (!published.has(leaf.kid)) alert('unknown_kid', `${signed} the issuer does not publish`)
  const first = state.addJob(leaf.job_tag, index)
  if (first !== undefined)
    alert('job_twice', `a second receipt, ${leaf.receipt_sha256}, for the job of leaf ${first}`)
  return alerts
}

/** The IDs of all keys in the key set of the issuer, also of revoked ones. */
async function publishedKids(issuer: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const url = `${issuer}/.well-known/jwks.json`
  const set = await readFromIssuer(url, KEY_SET_LIMIT_BYTES, signal, (bytes) =>
    parseJwks(parseStrictJson(bytes)),
  )
  if (!set.ok) throw new LogAlert('log_invalid', `${url} is not a key set`)
  return new Set([...set.value.keys, ...set.value.revoked].map(({ kid }) => kid))
}

/** What holds at a time, not for a leaf: it is reported in every run until it ends. */
function conditions(
  { cosigned, quorumMet }: VerifiedCheckpoint,
  changedAt: number,
  { policy: { quorum }, maxAgeMs = Infinity }: LogMonitor,
): readonly Alert[] {
  const names = [...new Set(cosigned.map(({ name }) => name))].join(', ') || 'no witness'
  const lost = `${names} cosigned the checkpoint, which is less than the policy asks for`
  const seconds = quorum === undefined ? undefined : quorumTime(quorum, cosigned)
  const last = seconds === undefined ? changedAt : seconds * 1000
  const what = seconds === undefined ? 'the log has not grown' : 'witnesses have not cosigned'
  const stale = `${what} since ${new Date(last).toISOString()}`
  return [
    ...(quorumMet ? [] : [{ code: 'quorum_lost', message: lost } as const]),
    ...(Date.now() - last > maxAgeMs ? [{ code: 'stale', message: stale } as const] : []),
  ]
}
