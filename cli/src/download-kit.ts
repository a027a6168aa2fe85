import { keyText, NO_TRUST, parseJwks, type Trust, type VerificationReport } from '@kitseal/kit/internal'
import { InputError, orInputError } from './input-error.ts'
import { issuerUrl } from './fetch-document.ts'
import type { TrustedKeys } from './trust-store.ts'
import { pinIssuer } from './pin-issuer.ts'
import { asJson } from './read-documents.ts'
import type { ServiceCall } from './service-call.ts'
import { shellQuote, printable, writeLines } from './terminal.ts'
import { NotVerifiedError, type ByteSink, type KitSink } from '@kitseal/client'
import { transferProgress } from './progress.ts'
import { createHash } from 'node:crypto'
import { fileSink } from '@kitseal/client/node'

export const TRUST_OPTIONS = {
  jwks: 'FILE|URL…  verify the kit with this public key set of the issuer (repeatable)',
  kid: 'KID…  verify the kit with this key ID of the issuer (repeatable)',
} as const

/** The keys a downloaded kit is verified with, and where they came from. */
export interface DownloadTrust {
  readonly trust: Trust
  readonly keys: 'given' | 'pinned' | 'service'
}

/**
 * The keys given as options, else those pinned for the issuer, else those the service publishes. They are pinned if the service is the
 * issuer, and do not confirm the sender if it is not.
 */
export async function downloadTrust(
  { keySets: given, kids, pins, logs }: TrustedKeys,
  kitId: string,
  { client, url, signal, terminal }: ServiceCall,
): Promise<DownloadTrust> {
  if (given.length + kids.length > 0)
    return { trust: { ...NO_TRUST, keySets: given, kids, logs }, keys: 'given' }
  const { issuer } = await client.getReceipt(kitId, { signal })
  const isPinned = (each: { readonly issuer: string }): boolean => each.issuer === issuer
  // The log says which keys are new and which are revoked.
  if (pins.some(isPinned) && logs.some(isPinned))
    return { trust: await pinIssuer(issuer, terminal, url), keys: 'pinned' }
  const names = new Set([issuer, url, new URL(url).origin])
  if (pins.some((pin) => names.has(pin.issuer))) return { trust: { ...NO_TRUST, pins, logs }, keys: 'pinned' }
  // The user typed the address of the issuer itself: pinned at its first use, so that "kitseal verify" says the same.
  if (issuerUrl(url) === issuer)
    try {
      return { trust: await pinIssuer(issuer, terminal), keys: 'pinned' }
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      writeLines(terminal.stderr, [`The keys of ${printable(issuer)} were not pinned: ${error.message}`])
    }
  const published = parseJwks(asJson(await client.getKeys({ signal })))
  const keySets = published.ok ? [{ ...published.value, source: 'service' as const, address: url }] : []
  return { trust: { ...NO_TRUST, keySets, logs }, keys: 'service' }
}

/** Where the key is from, and how to pin it if it is not. */
export function trustLine({ keys }: DownloadTrust, { signer }: VerificationReport, url: string): string {
  const hint = keys === 'service' ? `. To pin it: kitseal trust add ${shellQuote(url)}` : ''
  return `with ${keyText(signer)}${hint}`
}

/** What to do if the keys of the service do not confirm the sender of a kit. */
export function confirmHint({ keys }: DownloadTrust, { verdict }: VerificationReport): readonly string[] {
  if (keys !== 'service' || verdict !== 'sender_unconfirmed') return []
  return ['To confirm the sender: pin the issuer with "kitseal trust add ISSUER", or pass --jwks or --kid.']
}

/** Downloads a kit to a file and verifies it. If the report is FAIL, the file is not kept. */
export async function fetchKit(
  call: ServiceCall,
  { kitId, path, keys }: { readonly kitId: string; readonly path: string; readonly keys: TrustedKeys },
): Promise<{ readonly report: VerificationReport; readonly trust: DownloadTrust }> {
  const trust = await downloadTrust(keys, kitId, call)
  const progress = transferProgress(call.terminal, 'downloading')
  try {
    const { report } = await call.client.downloadKit(kitId, {
      trust: trust.trust,
      signal: call.signal,
      into: downloadSink(path),
      onProgress: progress.at,
    })
    return { report, trust }
  } catch (error) {
    if (!(error instanceof NotVerifiedError)) throw error
    return { report: error.report, trust }
  } finally {
    progress.clear()
  }
}

/** A `fileSink` whose write errors are input errors. */
export function downloadSink(path: string): KitSink<string> {
  const written = <T>(act: () => T): T => orInputError(`cannot write ${path}`, act)
  const sink = written(() => fileSink(path))
  return {
    ...sink,
    write: (bytes) => written(() => sink.write(bytes)),
    commit: () => written(() => sink.commit()),
  }
}

/** Saves a deliverable only if it has the SHA-256 in the list of deliverables. Null means that none is listed. */
export function checkedSink<Saved>(
  sink: ByteSink<Saved>,
  name: string,
  expected: string | null,
): ByteSink<Saved> {
  let hash = createHash('sha256')
  return {
    write: (bytes) => {
      hash.update(bytes)
      return sink.write(bytes)
    },
    reset: () => {
      hash = createHash('sha256')
      return sink.reset()
    },
    commit: () => {
      const found = hash.digest('hex')
      if (expected !== null && found !== expected)
        throw new InputError(`${name} was not saved: its SHA-256 is ${found}, the service lists ${expected}`)
      return sink.commit()
    },
    discard: () => sink.discard(),
  }
}

/** The file name for a kit. Rejects IDs that could point outside the folder: a service may be hostile. */
export function kitFileName(kitId: string): string {
  if (/^kit_[A-Za-z0-9_-]{1,200}$/.test(kitId)) return `${kitId}.zip`
  throw new InputError(`the service returned an invalid kit ID: ${JSON.stringify(kitId)}`)
}
