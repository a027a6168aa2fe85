import {
  ENVELOPE,
  ENVELOPE_LIMIT_BYTES,
  isJsonObject,
  type KitFiles,
  parseStrictJson,
  type Trust,
  type VerificationReport,
  verifyKit,
} from '@kitseal/kit/internal'
import { endpoint } from './call.ts'
import { download, type DownloadOptions } from './download.ts'
import { NotVerifiedError } from './errors.ts'
import type { KitSink } from './sinks.ts'
import type { Transport } from './transport.ts'

export interface DownloadKitOptions extends DownloadOptions {
  /** The keys you trust. The keys inside the kit are never trusted. */
  readonly trust: Trust
}

/** A kit that was downloaded and verified with your trust. */
export interface VerifiedKit<Saved> {
  readonly kitId: string
  readonly report: PassedReport
  /** What the sink returned: a path, or a Blob. */
  readonly saved: Saved
}

export type PassedReport = VerificationReport & {
  readonly status: 'PASS'
  readonly signer: { readonly kid: string }
}

const isPassed = (report: VerificationReport): report is PassedReport =>
  report.status === 'PASS' && report.signer.kid !== null

/** Downloads a kit and verifies it before it is saved. */
export async function downloadKit<Saved>(
  transport: Transport,
  kitId: string,
  sink: KitSink<Saved>,
  options: DownloadKitOptions,
): Promise<VerifiedKit<Saved>> {
  const { signal } = options
  const trust = structuredClone(options.trust)
  try {
    await download(transport, endpoint('downloadKit', { kit_id: kitId }), sink, options)
    const report = await verify(kitId, sink, trust)
    signal?.throwIfAborted()
    if (!isPassed(report)) throw new NotVerifiedError(kitId, report)
    return { kitId, report, saved: await sink.commit() }
  } catch (error) {
    await sink.discard()
    throw error
  }
}

async function verify(kitId: string, sink: KitSink<unknown>, trust: Trust): Promise<VerificationReport> {
  const kit = await sink.open()
  try {
    const report = await verifyKit(kit, trust, sink.host)
    if (report.status === 'FAIL' || (await readKitId(kit)) === kitId) return report
    const errors = [`kit_unreadable: the service returned a different kit than ${kitId}`]
    return { ...report, status: 'FAIL', verdict: 'altered', errors }
  } finally {
    kit.close?.()
  }
}

async function readKitId(kit: KitFiles): Promise<unknown> {
  const receipt = parseStrictJson(await kit.read(ENVELOPE.receipt, ENVELOPE_LIMIT_BYTES.receipt))
  return isJsonObject(receipt) ? receipt['kit_id'] : undefined
}
