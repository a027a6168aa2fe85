import type { ProofConfig } from '../settings/config.ts'
import { type TimeStampAuthorities, readAuthorities } from './ask-authorities.ts'
import type { PublishingPolicy } from './checkpoint-queries.ts'
import { NO_WITNESSES, readWitnessPolicy, type WitnessPolicy } from './witness-policy.ts'

/** The witnesses and authorities that confirm the checkpoints of the log. Can be sent to another thread. */
export interface ProofSources {
  readonly witnesses: WitnessPolicy
  readonly authorities: TimeStampAuthorities | undefined
}

/** Undefined if there are none: then the service alone signs its log. Throws if a file cannot be used. */
export function readProofSources(config: ProofConfig): ProofSources | undefined {
  const authorities = readAuthorities(config)
  if (config.witnessPolicy !== undefined)
    return { witnesses: readWitnessPolicy(config.witnessPolicy, config.isRequired), authorities }
  return authorities && { witnesses: NO_WITNESSES, authorities }
}

export function publishingPolicy(
  sources: ProofSources | undefined,
  { isRequired }: Pick<ProofConfig, 'isRequired'>,
): PublishingPolicy | undefined {
  return (
    sources && {
      witnesses: sources.witnesses,
      isTimeStamped: sources.authorities !== undefined,
      isRequired,
    }
  )
}
