import type { EventEmitter } from 'node:events'
import { addressGroup } from './address-group.ts'

/** How many of something each address has. */
export class AddressCounts {
  readonly #counts = new Map<string, number>()

  /** Counts one more until it closes, and returns how many there are. */
  add(address: string, one: EventEmitter): number {
    const group = addressGroup(address)
    const count = (this.#counts.get(group) ?? 0) + 1
    this.#counts.set(group, count)
    one.once('close', () => {
      const left = (this.#counts.get(group) ?? 1) - 1
      if (left === 0) this.#counts.delete(group)
      else this.#counts.set(group, left)
    })
    return count
  }
}
