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
import { askAuthority, readAuthorities, type TimeStampAuthorities } from './ask-authorities.ts'
import { askWitness, type SignedHead } from './ask-witness.ts'
import {
  meetsQuorum,
  type PublishedCheckpoint,
  type PublishingPolicy,
  readStored,
  storeCheckpoint,
} from './checkpoint-queries.ts'
import { behindWitness } from './freeze-log.ts'
import { readLog } from './log-key.ts'
import { readTilesOnce, tileReader } from './log-tiles.ts'
import {
  NO_WITNESSES,
  readWitnessPolicy,
  type WitnessEndpoint,
  type WitnessPolicy,
} from './witness-policy.ts'
import { sql } from 'kysely'
import type { LogWitnessesTable } from '../database/schema.ts'
import type { ProofConfig } from '../settings/config.ts'
import type { TransparencyLog } from './transparency-log.ts'

interface CosigningOptions {
  readonly db: Db
  readonly clock: Clock
  readonly policy: WitnessPolicy
  /** Undefined if checkpoints are not time-stamped. */
  readonly authorities?: TimeStampAuthorities | undefined
  /** Whether a checkpoint without any cosignature or time-stamp is of no use. */
  readonly isRequired: boolean
  /** How long to wait for the quorum. */
  readonly waitMs: number
  readonly firstRetryMs?: number
  /** Stops the log: a witness has seen another history of it. */
  readonly freeze: (reason: string) => Promise<void>
  readonly log: Log
}

/** Has checkpoints cosigned by the witnesses of a policy and stamped by an authority, and stores them. */
export type Cosigning = ReturnType<typeof cosigning>

/** How long a witness may take. Its answer still counts after the wait. */
const WITNESS_MS = 10_000
const WITNESS_LAST_RETRY_MS = 5000
const AUTHORITY_MS = 5000
/** An authority that hangs is left out for this long, so that the next one can answer in time. */
const AUTHORITY_LAST_RETRY_MS = 60_000

/** Someone who is asked, and after a failure left alone for a while. */
class Asked {
  problem: string | undefined
  #failures = 0
  /** By the monotonic clock. */
  #retryAt = 0
  readonly #firstRetryMs: number

  constructor(firstRetryMs = 1000) {
    this.#firstRetryMs = firstRetryMs
  }

  isReady(): boolean {
    return performance.now() >= this.#retryAt
  }

  succeeded(): void {
    this.problem = undefined
    this.#failures = 0
    this.#retryAt = 0
  }

  failed(problem: string, lastRetryMs: number): void {
    this.pause(Math.min(lastRetryMs, this.#firstRetryMs * 2 ** this.#failures))
    this.#failures += 1
    this.problem = problem
  }

  pause(milliseconds: number): void {
    this.#retryAt = performance.now() + milliseconds
  }
}

interface Witness {
  readonly endpoint: WitnessEndpoint
  /** For log lines. */
  readonly name: string
  readonly asked: Asked
  request: Promise<void> | undefined
}

interface Confirmed {
  readonly note: SignedNote
  readonly timeStamp: Uint8Array | undefined
}

type OnCosigned = (cosignatures: readonly NoteSignature[]) => Promise<void>

const isReady = ({ request, asked }: Witness): boolean => request === undefined && asked.isReady()

export function cosigning(options: CosigningOptions) {
  const { db, clock, policy, authorities, isRequired, waitMs, firstRetryMs, freeze, log } = options
  const stopping = new AbortController()
  const witnesses = policy.endpoints.map((endpoint): Witness => {
    const name = endpoint.witnesses.map((witness) => witness.name).join(', ')
    return { endpoint, name, asked: new Asked(firstRetryMs), request: undefined }
  })
  const stampers = (authorities?.urls ?? []).map((url) => ({ url, asked: new Asked(firstRetryMs) }))
  let stamping: Promise<void> | undefined

  /** Who has to sign it, of those that are not asked at this moment and have not failed lately. */
  function missing(stored: PublishedCheckpoint | undefined) {
    const canStamp = stamping === undefined && stampers.some(({ asked }) => asked.isReady())
    return {
      witnesses: witnesses.filter((each) => isReady(each) && !hasCosigned(stored?.note, each)),
      // One is enough, and it is stored for all nodes.
      stamp: canStamp && stored?.timeStamp === undefined,
      isStored: stored !== undefined,
    }
  }

  async function cosign(
    head: SignedHead,
    isEnough: (confirmed: Confirmed) => boolean,
    whom: 'missing' | 'all' = 'missing',
  ): Promise<void> {
    const stored = await readStored(db, head.size)
    const still = missing(stored)
    const due = whom === 'all' ? witnesses.filter(isReady) : still.witnesses
    if (due.length === 0 && !still.stamp && still.isStored) return
    const known = stored?.note ?? head.note
    const received: NoteSignature[] = []
    let timeStamp = stored?.timeStamp
    const confirmed = (): Confirmed => ({
      note: { text: known.text, signatures: [...known.signatures, ...received] },
      timeStamp,
    })
    const store = async (): Promise<void> => {
      if (isRequired && received.length === 0 && timeStamp === undefined) return
      await storeCheckpoint(db, head, { cosignatures: received, timeStamp }, policy, clock)
    }
    const { promise: enough, resolve } = Promise.withResolvers<void>()
    let isOver = false
    const noteProgress = async (): Promise<void> => {
      if (isOver) await store()
      else if (isEnough(confirmed())) resolve()
    }
    const requests = due.map((witness) => {
      const asking = askOnce(witness, head, (cosignatures) => {
        received.push(...cosignatures)
        return noteProgress()
      })
      return (witness.request = asking
        .catch((error: unknown) => log.error({ err: error }, `cannot ask the witness ${witness.name}`))
        .finally(() => (witness.request = undefined)))
    })
    if (still.stamp) {
      stamping = stamp(head, (stamped) => {
        timeStamp = stamped
        return noteProgress()
      })
        .catch((error: unknown) => log.error({ err: error }, 'cannot have the checkpoint time-stamped'))
        .finally(() => (stamping = undefined))
      requests.push(stamping)
    }
    if (!isEnough(confirmed())) await within(waitMs, Promise.race([Promise.all(requests), enough]), undefined)
    isOver = true
    await store()
  }

  async function askOnce(witness: Witness, head: SignedHead, onCosigned: OnCosigned): Promise<void> {
    const { endpoint, name, asked } = witness
    const knownSize = await readWitnessSize(db, endpoint)
    // Another node has it cosign a newer checkpoint.
    if (knownSize > head.size) return
    const read = readTilesOnce(tileReader(db))
    const answer = await askWitness(endpoint, head, {
      knownSize,
      proofFrom: (oldSize) => consistencyProofFromTiles(oldSize, head.size, read, nodeHost.digest),
      now: () => clock.now(),
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(Math.max(waitMs, WITNESS_MS))]),
    })
    if (answer.is === 'cosigned') {
      if (asked.problem !== undefined) log.info({ witness: name }, `the witness ${name} cosigns again`)
      asked.succeeded()
      await recordCosigned(db, endpoint, head.size, clock)
      return onCosigned(answer.cosignatures)
    }
    if (answer.is === 'failed') {
      if (stopping.signal.aborted) return
      const { problem } = answer
      if (problem !== asked.problem)
        log.warn({ witness: name, size: head.size }, `the witness ${name} did not cosign: ${problem}`)
      asked.failed(problem, WITNESS_LAST_RETRY_MS)
      return recordFailure(db, endpoint, problem)
    }
    const size = (await readLog(db))?.size ?? 0
    // Another node has extended the log meanwhile.
    if (answer.is === 'larger' && answer.size <= size) return
    asked.pause(WITNESS_LAST_RETRY_MS)
    const reason =
      answer.is === 'larger'
        ? behindWitness(name, answer.size, size)
        : `the witness ${name} has cosigned another history of this log with ${answer.size} leaves`
    await recordFailure(db, endpoint, reason)
    await freeze(reason)
  }

  /** Resolves when the first authority has stamped the checkpoint, or none did. */
  async function stamp(head: SignedHead, onStamped: (timeStamp: Uint8Array) => Promise<void>): Promise<void> {
    for (const { url, asked } of stampers.filter((each) => each.asked.isReady())) {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(AUTHORITY_MS)])
      const asking = { roots: authorities?.roots, now: () => clock.now(), signal }
      const answer = await askAuthority(url, head, asking)
      if (answer.is === 'stamped') {
        asked.succeeded()
        return onStamped(answer.timeStamp)
      }
      if (stopping.signal.aborted) return
      if (answer.problem !== asked.problem)
        log.warn({}, `the time-stamp authority ${url} did not stamp the checkpoint: ${answer.problem}`)
      asked.failed(answer.problem, AUTHORITY_LAST_RETRY_MS)
    }
  }

  return {
    /** Whether there is a witness or authority to ask, or something to store. */
    async isDue(head: SignedHead): Promise<boolean> {
      const still = missing(await readStored(db, head.size))
      return !still.isStored || still.witnesses.length > 0 || still.stamp
    },
    /**
     * Asks all witnesses that have not cosigned this checkpoint, and stores it when the quorum is met, all have answered, or
     * the wait is over. Cosignatures that come later are added.
     */
    cosign: (head: SignedHead): Promise<void> =>
      cosign(head, ({ note, timeStamp }) => {
        const isStamped = authorities === undefined || timeStamp !== undefined
        // Without a quorum, it waits for every witness.
        const isCosigned = policy.quorum === undefined ? witnesses.length === 0 : meetsQuorum(note, policy)
        return isStamped && isCosigned
      }),
    /** Asks all witnesses and waits for all of them, to find out whether one has seen more than this database. */
    check: (head: SignedHead): Promise<void> => {
      for (const { asked } of witnesses) asked.pause(0)
      return cosign(head, () => false, 'all')
    },
    /** Of witnesses that did not cosign when they were last asked. */
    problems: (): readonly string[] =>
      witnesses.flatMap(({ name, asked }) =>
        asked.problem === undefined ? [] : `${name}: ${asked.problem}`,
      ),
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all([...witnesses.map(({ request }) => request), stamping])
    },
  }
}

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

/** Asks every witness about the present state of the log, which the log has signed before. */
export async function askAllWitnesses(
  { db, clock, transparencyLog }: Asking,
  proof: ProofConfig,
): Promise<AskedWitnesses> {
  const policy = readProofSources(proof)?.witnesses ?? NO_WITNESSES
  if (policy.endpoints.length === 0) return { ahead: [], silent: [] }
  const ahead: string[] = []
  const freeze = async (reason: string): Promise<void> => void ahead.push(reason)
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const asking = cosigning({ db, clock, policy, isRequired: true, waitMs: WITNESS_MS, freeze, log })
  const head = await transparencyLog.signedHead()
  if (head.size > 0) await asking.check(head)
  return { ahead, silent: asking.problems() }
}

/** The witnesses and authorities that confirm the checkpoints of the log. */
export interface ProofSources {
  readonly witnesses: WitnessPolicy
  readonly authorities: TimeStampAuthorities | undefined
}

/** Undefined if there are none: then the service alone signs its log. Throws if a file cannot be used. */
export function readProofSources(config: ProofConfig): ProofSources | undefined {
  const authorities = readAuthorities(config)
  if (config.witnessPolicy !== undefined)
    return { witnesses: readWitnessPolicy(config.witnessPolicy, config.isRequired), authorities }
  return authorities && { witnesses: NO_WITNESSES, authorities }
}

export function publishingPolicy(
  sources: ProofSources | undefined,
  { isRequired }: Pick<ProofConfig, 'isRequired'>,
): PublishingPolicy | undefined {
  return (
    sources && {
      witnesses: sources.witnesses,
      isTimeStamped: sources.authorities !== undefined,
      isRequired,
    }
  )
}
