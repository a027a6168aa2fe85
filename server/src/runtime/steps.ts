import { channel } from 'node:diagnostics_channel'

/** Steps from evidence to an issued kit. Benchmarks measure what each takes. */
export type Step =
  | 'job claimed'
  | 'evidence examined'
  | 'binder made'
  | 'kit stored'
  | 'kit verified'
  | 'job passed'
  | 'mark recorded'
  | 'kit issued'

export const STEPS_CHANNEL = 'kitseal:step'
const steps = channel(STEPS_CHANNEL)

export function reached(step: Step): void {
  if (steps.hasSubscribers) steps.publish(step)
}
