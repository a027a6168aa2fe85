import { channel } from 'node:diagnostics_channel'

/** The steps between an upload and its kit, by name, in the order in which they come. */
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
  'kit issuing',
  'kit issued',
  'job failing',
  'job failed',
] as const
export type Step = (typeof STEPS)[number]

export const STEPS_CHANNEL = 'kitseal:step'
const steps = channel(STEPS_CHANNEL)

/** Says that a step is done, to whoever listens: nobody, except where a trial ends the process at each of them. */
export function reached(step: Step): void {
  if (steps.hasSubscribers) steps.publish(step)
}
