import { consistencyProofFromTiles } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { Clock } from '../runtime/clock.ts'
import type { ProofConfig } from '../settings/config.ts'
import type { Db } from '../database/schema.ts'
import { askWitness } from './ask-witness.ts'
import { readTilesOnce, tileReader } from './log-tiles.ts'
import { readProofSources } from './proof-sources.ts'
import type { TransparencyLog } from './transparency-log.ts'
import { readWitnessSize } from './witness-queries.ts'

export interface AskedWitnesses {
  /** Witnesses that know a larger tree or another history, each a clause without a full stop. */
  readonly ahead: readonly string[]
  /** Witnesses that did not answer, with the reason. */
  readonly silent: readonly string[]
}

const REQUEST_TIMEOUT_MS = 10_000

/** Asks every witness about the present state of the log, which the log has signed before. Nothing is stored. */
export async function askAllWitnesses(
  {
    db,
    clock,
    transparencyLog,
  }: {
    readonly db: Db
    readonly clock: Clock
    readonly transparencyLog: Pick<TransparencyLog, 'signedHead'>
  },
  proof: ProofConfig,
): Promise<AskedWitnesses> {
  const endpoints = readProofSources(proof)?.witnesses.endpoints ?? []
  const found = { ahead: [] as string[], silent: [] as string[] }
  if (endpoints.length === 0) return found
  const head = await transparencyLog.signedHead()
  if (head.size === 0) return found
  const asked = endpoints.map(async (endpoint) => {
    const name = endpoint.witnesses.map((witness) => witness.name).join(', ')
    const read = readTilesOnce(tileReader(db))
    const answer = await askWitness(endpoint, head, {
      knownSize: await readWitnessSize(db, endpoint),
      proofFrom: (oldSize) => consistencyProofFromTiles(oldSize, head.size, read, nodeHost.digest),
      now: () => clock.now(),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
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
