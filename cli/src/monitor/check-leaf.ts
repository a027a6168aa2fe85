import { LogFormatError, type LogLeaf, parseLeaf } from '@kitseal/kit/internal'
import type { AlertList } from './alert.ts'
import type { MonitorState } from './monitor-state.ts'

/** Checks one leaf against those before it, and records it. */
export function checkLeaf(
  entry: Uint8Array,
  index: number,
  state: MonitorState,
  /** The key IDs in the key set of the issuer, also of revoked keys. */
  published: ReadonlySet<string>,
  alerts: AlertList,
): void {
  const leaf = parse(entry, index, alerts)
  if (leaf?.kind === 'key' && leaf.event === 'added') state.addKey(leaf.kid, index)
  if (leaf?.kind !== 'receipt') return
  const { kid, job_tag: jobTag, receipt_sha256: sha256 } = leaf
  if (!state.hasKey(kid)) {
    const message = `leaf ${index}: the receipt ${sha256} is signed with the key ${kid}, which was not added to the log before`
    alerts.add({ code: 'unknown_kid', message, index })
  } else if (!published.has(kid)) {
    const message = `leaf ${index}: the receipt ${sha256} is signed with the key ${kid}, which the issuer does not publish`
    alerts.add({ code: 'unknown_kid', message, index })
  }
  const first = state.addJob(jobTag, index)
  if (first !== undefined) {
    const message = `leaf ${index}: a second receipt, ${sha256}, for the job of leaf ${first}`
    alerts.add({ code: 'job_twice', message, index })
  }
  state.addReceipt(sha256, index)
}

function parse(entry: Uint8Array, index: number, alerts: AlertList): LogLeaf | undefined {
  try {
    return parseLeaf(entry)
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error
    alerts.add({ code: 'leaf_invalid', message: `leaf ${index}: ${error.message}`, index })
    return undefined
  }
}
