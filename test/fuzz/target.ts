import type { SeededRandom } from '../kit/seeded-random.ts'

/** A part of the system that gets damaged input, and the checks that its answers must pass. */
export interface Target extends AsyncDisposable {
  readonly name: string
  /** Runs one case that depends on the seed alone. Throws when a check fails. */
  run(random: SeededRandom): Promise<Outcome>
}

/** `accepted`: taken as valid, and checked to be so. `refused`: rejected as damaged. */
export type Outcome = 'accepted' | 'refused'

/** A failed check, with the input that caused it. */
export class CaseFailure extends Error {
  override readonly name = 'CaseFailure'
  readonly input: Uint8Array

  constructor(message: string, input: Uint8Array) {
    super(message)
    this.input = input
  }
}
