import { randomBytes } from 'node:crypto'
import {
  type Certificate,
  parseTimeStamp,
  TIME_STAMP_LIMIT_BYTES,
  type TimeStamp,
  TimeStampFormatError,
  utf8,
  verifyTimeStamp,
  parseCertificates,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { nonceHex, timeStampRequest } from './time-stamp-request.ts'
import { type SignedHead, CLOCK_TOLERANCE_MS, describeReply, postLimited } from './ask-witness.ts'
import { readFileSync } from 'node:fs'
import type { ProofConfig } from '../settings/config.ts'

/** The time-stamp authorities that the operator chose. */
export interface TimeStampAuthorities {
  /** Tried in this order. */
  readonly urls: readonly string[]
  /** Undefined if the operator gave none: then anyone could have answered. */
  readonly roots: readonly Certificate[] | undefined
}

export type AuthorityAnswer =
  /** The whole response, as it goes into kits. */
  | { readonly is: 'stamped'; readonly timeStamp: Uint8Array }
  | { readonly is: 'failed'; readonly problem: string }

export interface AuthorityOptions {
  readonly roots: TimeStampAuthorities['roots']
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly signal: AbortSignal
}

const HEADERS = { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' }

/** Asks an authority to stamp the text of a checkpoint (RFC 3161). Never throws for what the authority does. */
export async function askAuthority(
  url: string,
  { note, committedAt }: SignedHead,
  { roots, now, signal }: AuthorityOptions,
): Promise<AuthorityAnswer> {
  const text = utf8(note.text)
  const nonce = randomBytes(16)
  const body = Uint8Array.from(timeStampRequest(nodeHost.digest(text), nonce))
  const reply = await postLimited(url, { body, headers: HEADERS, limitBytes: TIME_STAMP_LIMIT_BYTES, signal })
  if (typeof reply === 'string') return failed(reply)
  if (reply.status !== 200) return failed(describeReply(reply, 'KITSEAL_TSA_URL'))
  const timeStamp = parse(reply.body)
  if (typeof timeStamp === 'string') return failed(timeStamp)
  if (timeStamp.nonce !== nonceHex(nonce)) return failed('its answer is to another request')
  const status = await verifyTimeStamp(timeStamp, text, roots, nodeHost)
  if (status.is === 'mismatch') return failed('its time-stamp is not for this checkpoint')
  if (status.is === 'invalid' || status.is === 'untrusted')
    return failed(`its time-stamp is ${status.is}: ${status.why}`)
  if (timeStamp.time > now() + CLOCK_TOLERANCE_MS || timeStamp.time < committedAt - CLOCK_TOLERANCE_MS)
    return failed(`its time, ${new Date(timeStamp.time).toISOString()}, is wrong. Compare the clocks.`)
  return { is: 'stamped', timeStamp: reply.body }
}

const failed = (problem: string) => ({ is: 'failed', problem }) as const

function parse(bytes: Uint8Array): TimeStamp | string {
  try {
    return parseTimeStamp(bytes)
  } catch (error) {
    if (error instanceof TimeStampFormatError) return `its answer is not a time-stamp: ${error.message}`
    throw error
  }
}

/** Undefined if none are configured. Throws if the file of their certificates cannot be used. */
export function readAuthorities({
  authorities: urls,
  authorityRoots: file,
}: Pick<ProofConfig, 'authorities' | 'authorityRoots'>): TimeStampAuthorities | undefined {
  if (urls.length === 0) return undefined
  return { urls, roots: file === undefined ? undefined : readRoots(file) }
}

function readRoots(file: string): readonly Certificate[] {
  try {
    return parseCertificates(readFileSync(file))
  } catch (error) {
    const { message } = error as Error
    throw new Error(`the certificates in ${file} (KITSEAL_TSA_ROOTS) cannot be used: ${message}`, {
      cause: error,
    })
  }
}
