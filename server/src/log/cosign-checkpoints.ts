import {
  consistencyProofFromTiles,
  type NoteSignature,
  signaturesBy,
  type SignedNote,
  vkey,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { Log } from '../runtime/logger.ts'
import { within } from '../runtime/promises.ts'
import { askWitness, type SignedHead, type WitnessAnswer } from './ask-witness.ts'
import { meetsQuorum, type PublishedCheckpoint, readStored, storeCheckpoint } from './checkpoint-queries.ts'
import { behindWitness } from './freeze-log.ts'
import { readLog } from './log-key.ts'
import { readTilesOnce, tileReader } from './log-tiles.ts'
import type { TimeStamping } from './ask-authorities.ts'
import type { WitnessEndpoint, WitnessPolicy } from './witness-policy.ts'
import { sql } from 'kysely'
import type { LogWitnessesTable } from '../database/schema.ts'
import type { ProofConfig } from '../settings/config.ts'
import { readProofSources } from './proof-sources.ts'
import type { TransparencyLog } from './transparency-log.ts'

interface CosigningOptions {
  readonly db: Db
  readonly clock: Clock
  readonly policy: WitnessPolicy
  /** Undefined if checkpoints are not time-stamped. */
  readonly timeStamping?: TimeStamping | undefined
  /** Whether a checkpoint without any cosignature or time-stamp is of no use. */
  readonly isRequired: boolean
  /** How long to wait for the quorum. */
  readonly waitMs: number
  /** How long a witness may take. Its answer still counts after the wait. */
  readonly requestTimeoutMs?: number
  readonly firstRetryMs?: number
  /** Stops the log: a witness has seen another history of it. */
  readonly freeze: (reason: string) => Promise<void>
  readonly log: Log
}

/** Has checkpoints cosigned by the witnesses of a policy, and stores them. */
export type Cosigning = ReturnType<typeof cosigning>

interface Witness {
  readonly endpoint: WitnessEndpoint
  /** For log lines. */
  readonly name: string
  request: Promise<void> | undefined
  failures: number
  /** By the monotonic clock. */
  retryAt: number
  problem: string | undefined
}

const REQUEST_TIMEOUT_MS = 10_000
const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 5000

export function cosigning(options: CosigningOptions) {
  const { db, clock, policy, timeStamping, isRequired, waitMs, freeze, log } = options
  const timeoutMs = Math.max(waitMs, options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS)
  const firstRetryMs = options.firstRetryMs ?? FIRST_RETRY_MS
  const stopping = new AbortController()
  const witnesses = policy.endpoints.map(watch)

  /** Who has to sign it, of those that are not asked at this moment and have not failed lately. */
  function missing(head: SignedHead, stored: PublishedCheckpoint | undefined) {
    return {
      witnesses: witnesses.filter((each) => isReady(each) && !hasCosigned(stored?.note, each)),
      isStamped: stored?.timeStamp !== undefined || timeStamping?.isDue(head) !== true,
      isStored: stored !== undefined,
    }
  }

  async function cosign(
    head: SignedHead,
    isEnough: (confirmed: Confirmed) => boolean,
    whom: 'missing' | 'all' = 'missing',
  ): Promise<void> {
    const stored = await readStored(db, head.size)
    const { isStamped, isStored, ...still } = missing(head, stored)
    const due = whom === 'all' ? witnesses.filter(isReady) : still.witnesses
    if (due.length === 0 && isStamped && isStored) return
    const known = stored ?? { note: head.note, timeStamp: undefined }
    const received: NoteSignature[] = []
    let timeStamp = known.timeStamp
    const store = async (): Promise<void> => {
      if (isRequired && received.length === 0 && timeStamp === undefined) return
      await storeCheckpoint(db, head, { cosignatures: received, timeStamp }, policy, clock)
    }
    const { promise: enough, resolve } = Promise.withResolvers<void>()
    let isOver = false
    const confirmed = (): Confirmed => ({
      note: { text: known.note.text, signatures: [...known.note.signatures, ...received] },
      timeStamp,
    })
    const noteProgress = async (): Promise<void> => {
      if (isOver) return store()
      if (isEnough(confirmed())) resolve()
    }
    const requests = due.map((witness) =>
      ask(witness, head, (cosignatures) => {
        received.push(...cosignatures)
        return noteProgress()
      }),
    )
    // One is enough, and it is stored for all nodes.
    if (timeStamp !== undefined) timeStamping?.skip(head)
    else if (!isStamped && timeStamping !== undefined)
      requests.push(
        timeStamping.stamp(head, (stamped) => {
          timeStamp = stamped
          return noteProgress()
        }),
      )
    if (!isEnough(confirmed())) await within(waitMs, Promise.race([Promise.all(requests), enough]), undefined)
    isOver = true
    await store()
  }

  /** The result resolves when the witness has answered, also if it failed. */
  function ask(witness: Witness, head: SignedHead, onCosigned: OnCosigned): Promise<void> {
    const request = askOnce(witness, head, onCosigned)
      .catch((error: unknown) => log.error({ err: error }, `cannot ask the witness ${witness.name}`))
      .finally(() => (witness.request = undefined))
    witness.request = request
    return request
  }

  async function askOnce(witness: Witness, head: SignedHead, onCosigned: OnCosigned): Promise<void> {
    const knownSize = await readWitnessSize(db, witness.endpoint)
    // Another node has it cosign a newer checkpoint.
    if (knownSize > head.size) return
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)])
    const answer = await askAbout(db, clock, witness.endpoint, head, knownSize, signal)
    if (stopping.signal.aborted && answer.is === 'failed') return
    await handle(witness, head, answer, onCosigned)
  }

  async function handle(
    witness: Witness,
    head: SignedHead,
    answer: WitnessAnswer,
    onCosigned: OnCosigned,
  ): Promise<void> {
    const { endpoint, name } = witness
    if (answer.is === 'cosigned') {
      if (witness.problem !== undefined) log.info({ witness: name }, `the witness ${name} cosigns again`)
      Object.assign(witness, { failures: 0, retryAt: 0, problem: undefined })
      await recordCosigned(db, endpoint, head.size, clock)
      return onCosigned(answer.cosignatures)
    }
    if (answer.is === 'failed') {
      const { problem } = answer
      witness.retryAt = performance.now() + Math.min(LAST_RETRY_MS, firstRetryMs * 2 ** witness.failures)
      witness.failures += 1
      if (problem !== witness.problem)
        log.warn({ witness: name, size: head.size }, `the witness ${name} did not cosign: ${problem}`)
      witness.problem = problem
      return recordFailure(db, endpoint, problem)
    }
    const size = (await readLog(db))?.size ?? 0
    // Another node has extended the log meanwhile.
    if (answer.is === 'larger' && answer.size <= size) return undefined
    witness.retryAt = performance.now() + LAST_RETRY_MS
    const reason =
      answer.is === 'larger'
        ? behindWitness(name, answer.size, size)
        : `the witness ${name} has cosigned another history of this log with ${answer.size} leaves`
    await recordFailure(db, endpoint, reason)
    return freeze(reason)
  }

  return {
    /** Whether there is a witness or authority to ask, or something to store. */
    async isDue(head: SignedHead): Promise<boolean> {
      const still = missing(head, await readStored(db, head.size))
      return !still.isStored || still.witnesses.length > 0 || !still.isStamped
    },
    /**
     * Asks all witnesses that have not cosigned this checkpoint, and stores it when the quorum is met, all have answered, or
     * the wait is over. Cosignatures that come later are added.
     */
    cosign: (head: SignedHead): Promise<void> =>
      cosign(head, ({ note, timeStamp }) => {
        const isStamped = timeStamping === undefined || timeStamp !== undefined
        // Without a quorum, it waits for every witness.
        const isCosigned = policy.quorum === undefined ? witnesses.length === 0 : meetsQuorum(note, policy)
        return isStamped && isCosigned
      }),
    /** Asks all witnesses and waits for all of them, to find out whether one has seen more than this database. */
    check: (head: SignedHead): Promise<void> => {
      for (const witness of witnesses) witness.retryAt = 0
      return cosign(head, () => false, 'all')
    },
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all([...witnesses.map(({ request }) => request), timeStamping?.stop()])
    },
  }
}

function askAbout(
  db: Db,
  clock: Clock,
  endpoint: WitnessEndpoint,
  head: SignedHead,
  knownSize: number,
  signal: AbortSignal,
): Promise<WitnessAnswer> {
  const read = readTilesOnce(tileReader(db))
  return askWitness(endpoint, head, {
    knownSize,
    proofFrom: (oldSize) => consistencyProofFromTiles(oldSize, head.size, read, nodeHost.digest),
    now: () => clock.now(),
    signal,
  })
}

interface Confirmed {
  readonly note: SignedHead['note']
  readonly timeStamp: Uint8Array | undefined
}

type OnCosigned = (cosignatures: readonly NoteSignature[]) => void | Promise<void>

function watch(endpoint: WitnessEndpoint): Witness {
  const name = endpoint.witnesses.map((witness) => witness.name).join(', ')
  return { endpoint, name, request: undefined, failures: 0, retryAt: 0, problem: undefined }
}

const isReady = ({ request, retryAt }: Witness): boolean =>
  request === undefined && performance.now() >= retryAt

const hasCosigned = (note: SignedNote | undefined, { endpoint }: Witness): boolean =>
  note !== undefined && endpoint.witnesses.every(({ key }) => signaturesBy(note, key).length > 0)

/** The size that a witness cosigned last, as far as this service knows. */
async function readWitnessSize(db: Db, { witnesses }: WitnessEndpoint): Promise<number> {
  const rows = await db
    .selectFrom('log_witnesses')
    .select('size')
    .where(
      'vkey',
      'in',
      witnesses.map(({ key }) => vkey(key)),
    )
    .execute()
  return Math.max(0, ...rows.map(({ size }) => size))
}

async function recordCosigned(db: Db, endpoint: WitnessEndpoint, size: number, clock: Clock): Promise<void> {
  const cosigned_at = timestamp(clock.now())
  await db
    .insertInto('log_witnesses')
    .values(rowsOf(endpoint, { size, cosigned_at, failures: 0, problem: null }))
    .onConflict((conflict) =>
      conflict
        .column('vkey')
        .doUpdateSet((eb) => ({ name: eb.ref('excluded.name'), size, cosigned_at, problem: null })),
    )
    .execute()
}

async function recordFailure(db: Db, endpoint: WitnessEndpoint, problem: string): Promise<void> {
  await db
    .insertInto('log_witnesses')
    .values(rowsOf(endpoint, { size: 0, cosigned_at: null, failures: 1, problem }))
    .onConflict((conflict) =>
      conflict.column('vkey').doUpdateSet({ failures: sql<number>`log_witnesses.failures + 1`, problem }),
    )
    .execute()
}

function rowsOf(
  { witnesses }: WitnessEndpoint,
  state: Omit<LogWitnessesTable, 'vkey' | 'name'>,
): readonly LogWitnessesTable[] {
  return witnesses.map(({ name, key }) => ({ vkey: vkey(key), name, ...state }))
}

interface Asking {
  readonly db: Db
  readonly clock: Clock
  readonly transparencyLog: Pick<TransparencyLog, 'signedHead'>
}

interface AskedWitnesses {
  /** Witnesses that know a larger tree or another history, each a clause without a full stop. */
  readonly ahead: readonly string[]
  /** Witnesses that did not answer, with the reason. */
  readonly silent: readonly string[]
}

/** Asks every witness about the present state of the log, which the log has signed before. Nothing is stored. */
export async function askAllWitnesses(
  { db, clock, transparencyLog }: Asking,
  proof: ProofConfig,
): Promise<AskedWitnesses> {
  const endpoints = readProofSources(proof)?.witnesses.endpoints ?? []
  const found = { ahead: [] as string[], silent: [] as string[] }
  if (endpoints.length === 0) return found
  const head = await transparencyLog.signedHead()
  if (head.size === 0) return found
  const asked = endpoints.map(async (endpoint) => {
    const { name } = watch(endpoint)
    const knownSize = await readWitnessSize(db, endpoint)
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    const answer = await askAbout(db, clock, endpoint, head, knownSize, signal)
    if (answer.is === 'failed') found.silent.push(`${name}: ${answer.problem}`)
    if (answer.is === 'larger')
      found.ahead.push(
        `the witness ${name} has cosigned ${answer.size} leaves, but the database has ${head.size}`,
      )
    if (answer.is === 'other_tree')
      found.ahead.push(`the witness ${name} has cosigned another history with ${answer.size} leaves`)
  })
  await Promise.all(asked)
  return found
}
