// docs/decisions/0300
import {
  ENVELOPE,
  ENVELOPE_LIMIT_BYTES,
  isJsonObject,
  type KitFiles,
  parseStrictJson,
  type Trust,
  type VerificationReport,
  verifyKit,
} from '@kitseal/kit'
import { address } from './call.ts'
import { download, type DownloadOptions } from './download.ts'
import { NotVerifiedError } from './errors.ts'
import type { KitSink } from './sinks.ts'
import type { Transport } from './transport.ts'

export interface DownloadKitOptions extends DownloadOptions {
  /** Whom you trust to have signed it: pinned kids, key sets, pins. Nothing in the kit counts. */
  readonly trust: Trust
}

export interface VerifiedKit<Kept> {
  readonly report: VerificationReport
  readonly kept: Kept
}

/** Downloads a kit and verifies what arrived; only a kit that passes, and is the one asked for, is handed over. */
export async function downloadKit<Kept>(
  transport: Transport,
  kitId: string,
  sink: KitSink<Kept>,
  options: DownloadKitOptions,
): Promise<VerifiedKit<Kept>> {
  try {
    await download(transport, address('downloadKit', { kit_id: kitId }), sink, options)
    const report = await verify(kitId, sink, options.trust)
    options.signal?.throwIfAborted()
    if (report.status !== 'PASS') throw new NotVerifiedError(kitId, report)
    return { report, kept: await sink.keep() }
  } catch (error) {
    await sink.discard()
    throw error
  }
}

async function verify(kitId: string, sink: KitSink<unknown>, trust: Trust): Promise<VerificationReport> {
  const kit = await sink.open()
  try {
    const report = await verifyKit(kit, trust, sink.host)
    if (report.status === 'FAIL' || (await kitIdOf(kit)) === kitId) return report
    const errors = [`kit_unreadable: this is another kit than ${kitId}, which was asked for`]
    return { ...report, status: 'FAIL', errors }
  } finally {
    kit.close?.()
  }
}

async function kitIdOf(kit: KitFiles): Promise<unknown> {
  const receipt = parseStrictJson(await kit.read(ENVELOPE.receipt, ENVELOPE_LIMIT_BYTES.receipt))
  return isJsonObject(receipt) ? receipt['kit_id'] : undefined
}
