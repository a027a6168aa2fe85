import { channel } from 'node:diagnostics_channel'

/** The steps from a sealed kit to an issued one, in order. */
const ISSUE_STEPS = ['job passing', 'job passed', 'log extending', 'log extended', 'mark recorded'] as const
const ISSUED_STEPS = ['kit issuing', 'kit issued'] as const
/** The steps from upload to kit, in order. Crash tests end the process at each of them. */
export const STEPS = [
  'upload staged',
  'upload kept',
  'upload accepting',
  'upload accepted',
  'job claimed',
  'evidence examined',
  'kit signed',
  'kit stored',
  'kit verified',
  ...ISSUE_STEPS,
  ...ISSUED_STEPS,
  'job failing',
  'job failed',
] as const
/** The steps of a resumable upload, in order. */
export const UPLOAD_STEPS = ['upload appended', 'upload measured', 'upload named', 'upload finished'] as const
/** The steps from a sealed kit to an issued one if checkpoints need witnesses, in order. */
export const LOG_STEPS = [...ISSUE_STEPS, 'checkpoint storing', 'checkpoint stored', ...ISSUED_STEPS] as const
/** The steps of a backup, a restore or a move, in order. */
export const TRANSFER_STEPS = [
  'object copied',
  'objects copied',
  'records written',
  'kits checked',
  'backup indexed',
] as const
/** Steps that only benchmarks look at. */
export const MEASURED_STEPS = ['binder made'] as const
export type Step =
  | (typeof STEPS)[number]
  | (typeof UPLOAD_STEPS)[number]
  | (typeof LOG_STEPS)[number]
  | (typeof TRANSFER_STEPS)[number]
  | (typeof MEASURED_STEPS)[number]

export const STEPS_CHANNEL = 'kitseal:step'
const steps = channel(STEPS_CHANNEL)

/** Reports a completed step to tests that subscribe to the channel. */
export function reached(step: Step): void {
  if (steps.hasSubscribers) steps.publish(step)
}
