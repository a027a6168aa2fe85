import { NO_TRUST } from '@kitseal/kit'
import {
  type GivenKeys,
  type GivenPolicy,
  type Result,
  type Subject,
  subjectBytes,
  verifyInWorker,
  type SiteKeySet,
  siteKeySet,
} from '@kitseal/kit/in-browser'
import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf, readAll, fetchHere, fetchJson } from '../core/fetch-json.ts'
import { t } from '../core/texts.ts'
import {
  type JsonValue,
  parseJwks,
  parsePolicy,
  type PinnedLog,
  sameOrigin,
  utf8,
  webHost,
} from '@kitseal/kit/internal'
import type { ServiceInfo } from '../core/console-types.generated.ts'

/** What the reader gave for one kit. */
export interface Given {
  readonly keys?: GivenKeys
  readonly policy?: GivenPolicy
}

/** Something that this browser verifies: a kit that was dropped, one of the service, or a file with its proof. */
export interface Verifiable<Outcome = Result> {
  readonly id: string
  readonly name: string
  readonly sizeBytes: number
  run(onProgress: (readBytes: number) => void, signal: AbortSignal): Promise<Outcome>
}

export type VerificationState<Outcome = Result> =
  | { readonly is: 'running'; readonly readBytes: number }
  | { readonly is: 'done'; readonly outcome: Outcome }
  | { readonly is: 'failed'; readonly message: string }

export interface Verification<Outcome = Result> {
  /** By ID. What has no state was not looked at. */
  readonly states: ReadonlyMap<string, VerificationState<Outcome>>
  readonly isRunning: boolean
  start(): void
  stop(): void
}

/**
 * Verifies one after the other in this browser. What cannot be read is not verified, and the others go on. `all` must be
 * the same array until other things are to be verified.
 */
export function useVerification<Outcome = Result>(
  all: readonly Verifiable<Outcome>[],
  isAutomatic: boolean,
): Verification<Outcome> {
  const [states, setStates] = useState<Verification<Outcome>['states']>(new Map())
  const [isRunning, setIsRunning] = useState(false)
  const current = useRef<AbortController>(undefined)
  const start = useCallback(() => {
    current.current?.abort()
    const mine = new AbortController()
    current.current = mine
    setStates(new Map())
    setIsRunning(all.length > 0)
    const put = (id: string, state: VerificationState<Outcome>): void => {
      if (current.current === mine) setStates((before) => new Map(before).set(id, state))
    }
    const verify = async (): Promise<void> => {
      for (const { id, run } of all) {
        if (mine.signal.aborted) return
        put(id, { is: 'running', readBytes: 0 })
        await run((readBytes) => put(id, { is: 'running', readBytes }), mine.signal).then(
          (outcome) => put(id, { is: 'done', outcome }),
          (error: unknown) =>
            put(id, {
              is: 'failed',
              message: mine.signal.aborted ? t('verify.stopped') : messageOf(error),
            }),
        )
      }
    }
    void verify().finally(() => {
      if (current.current === mine) setIsRunning(false)
    })
  }, [all])
  useEffect(() => {
    if (isAutomatic) start()
    return () => current.current?.abort()
  }, [isAutomatic, start])
  return { states, isRunning, start, stop: () => current.current?.abort() }
}

const AUTOMATIC_BYTES = 200 * 1024 * 1024
/** On a phone, or where the reader asked to save data. */
const CAREFUL_BYTES = 2 * 1024 * 1024

/** Verifying downloads everything. Much of it only on request. */
export function isSmallEnough(sizeBytes: number): boolean {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  const isCareful = matchMedia('(pointer: coarse)').matches || connection?.saveData === true
  return sizeBytes <= (isCareful ? CAREFUL_BYTES : AUTOMATIC_BYTES)
}

/** A kit or receipt that the reader chose, with the keys and the log of this service, or with what the reader gave. */
export const chosenSubject = (subject: Subject, keys: PublishedKeys, given: Given): Verifiable => ({
  id: subject.name,
  name: subject.name,
  sizeBytes: subjectBytes(subject),
  run: (onProgress, signal) => verifySubject(subject, keys, given, onProgress, signal),
})

/** A kit that is served at this address, with the keys that the service publishes. */
export const servedKit = (id: string, url: string, sizeBytes: number): Verifiable => ({
  id,
  name: `${id}.zip`,
  sizeBytes,
  run: async (onProgress, signal) => {
    const name = `${id}.zip`
    const [keys, bytes] = await Promise.all([publishedKeys(), readAll(url, signal, onProgress)])
    const file = new File([bytes], name, { type: 'application/zip' })
    return verifySubject({ is: 'zip', name, file }, keys, {}, () => undefined, signal)
  },
})

async function verifySubject(
  subject: Subject,
  { keys, logs }: PublishedKeys,
  given: Given,
  onProgress: (readBytes: number) => void,
  signal: AbortSignal,
): Promise<Result> {
  signal.throwIfAborted()
  const startedAt = performance.now()
  const trust = { ...NO_TRUST, ...(given.keys ?? { keySets: [keys] }), logs, ...given.policy }
  const { done, stop } = verifyInWorker(createWorker, { subject, trust }, onProgress)
  signal.addEventListener('abort', stop)
  const verification = await done.catch((error: unknown) => {
    throw new Error(t('verify.failed', { why: String(error) }))
  })
  return {
    ...verification,
    kind: subject.is,
    name: subject.name,
    sizeBytes: subjectBytes(subject),
    tookMs: performance.now() - startedAt,
    verifiedAt: new Date(),
    site: given.keys === undefined ? keys : undefined,
  }
}

const createWorker = (): Worker =>
  new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' })

export const fetchServiceInfo = (): Promise<ServiceInfo> => fetchJson('/console/api/public')

/** The keys of this service, and its log. */
export interface PublishedKeys {
  readonly keys: SiteKeySet
  readonly logs: readonly PinnedLog[]
}

/** The keys and the log that this service publishes, never those in a kit. They count only for kits that name this site as issuer. */
export async function publishedKeys(): Promise<PublishedKeys> {
  const [jwks, { issuer }, policy] = await Promise.all([
    // A revocation counts at once.
    fetchJson<JsonValue>('/.well-known/jwks.json', { cache: 'no-cache' }),
    fetchServiceInfo(),
    fetchPolicy(),
  ])
  const parsed = parseJwks(jwks)
  if (!parsed.ok) throw new Error(t('problem.unexpected'))
  // Any number of the witnesses that the issuer names is enough: the words say how many there are.
  const logs =
    policy === undefined || !sameOrigin(issuer, location.origin)
      ? []
      : [{ issuer, policy: { ...policy, quorum: undefined }, isIssuers: true }]
  return { keys: siteKeySet(parsed.value, issuer, location.origin), logs }
}

/** Undefined if the log cannot be read: a kit is then verified without it. */
async function fetchPolicy(): Promise<PinnedLog['policy'] | undefined> {
  try {
    return parsePolicy(utf8(await (await fetchHere('/log/policy')).text()), webHost.digest)
  } catch {
    return undefined
  }
}
