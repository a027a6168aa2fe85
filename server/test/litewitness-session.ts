// A session with litewitness, a witness by somebody else: recorded by record-litewitness.ts, repeated in a test.
import { type NoteKey, parseCheckpoint, parseNote, utf8 } from '@kitseal/kit/internal'
import { witnessedLog } from '../../test/kit/witnessed-log.ts'
import { askWitness, type WitnessAnswer } from '../src/log/ask-witness.ts'

const log = witnessedLog('issuer.example/log')
const fork = witnessedLog('issuer.example/log', 'second')
const stranger = witnessedLog('stranger.example/log')
export const LOG_KEY = log.signer.key

/** What was asked in a session: a size, the size that the witness is thought to know, and from which log. */
const QUESTIONS = [
  { from: log, size: 1, knownSize: 0 },
  { from: log, size: 7, knownSize: 1 },
  { from: log, size: 300, knownSize: 7 },
  { from: log, size: 301, knownSize: 0 },
  { from: log, size: 301, knownSize: 301 },
  { from: log, size: 7, knownSize: 0 },
  { from: fork, size: 301, knownSize: 301 },
  { from: fork, size: 310, knownSize: 301 },
  { from: stranger, size: 5, knownSize: 0 },
]

/** The answers of a witness, as the service understands them: cosigned, or why not. */
export const EXPECTED = [
  'cosigned',
  'cosigned',
  'cosigned',
  'cosigned',
  'cosigned',
  'larger 301',
  'other_tree 301',
  'other_tree 301',
  'failed',
]

/** Asks a witness for everything in order. `now` is the time of the session. */
export async function askAll(url: string, key: NoteKey, now: number): Promise<readonly string[]> {
  const endpoint = { url, witnesses: [{ name: 'lite', key }] }
  const answers: string[] = []
  for (const { from, size, knownSize } of QUESTIONS) {
    const bytes = utf8(await from.note(size))
    const root = Buffer.from(parseCheckpoint(bytes).root).toString('base64')
    const head = {
      size,
      root,
      note: parseNote(bytes),
      committedAt: now,
      frozen: undefined,
      timeStamp: undefined,
    }
    const answer: WitnessAnswer = await askWitness(endpoint, head, {
      knownSize,
      proofFrom: async (oldSize) =>
        (await from.proof(oldSize, size)).map((hash) => Buffer.from(hash, 'base64')),
      now: () => now,
      signal: AbortSignal.timeout(20_000),
    })
    answers.push('size' in answer ? `${answer.is} ${answer.size}` : answer.is)
  }
  return answers
}
