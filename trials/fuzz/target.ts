import type { Dice } from '../dice.ts'

/** Something that is fed what nobody would write, and an oracle that says whether it stood that. */
export interface Target extends AsyncDisposable {
  readonly name: string
  /** One case, made from the dice alone. Throws where a promise does not hold. */
  run(dice: Dice): Promise<Outcome>
}

/** `accepted`: it was taken for sound, and was shown to be. `refused`: it was told not to be. */
export type Outcome = 'accepted' | 'refused'

/** A promise that does not hold, with the input that shows it. */
export class Broken extends Error {
  override readonly name = 'Broken'
  readonly input: Uint8Array

  constructor(message: string, input: Uint8Array) {
    super(message)
    this.input = input
  }
}
