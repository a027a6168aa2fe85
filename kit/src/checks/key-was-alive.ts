import { finding } from '../errors.ts'
import type { ReceiptFacts } from '../facts.ts'
import { wasAlive } from '../jwks.ts'
import { type Check, notRun, outcome } from '../report.ts'

export const keyWasAlive: Check<ReceiptFacts> = {
  check: 'key_was_alive',
  guarantee: 'The key was in use when the receipt was issued',
  run({ chosen, receipt }) {
    if (chosen?.key === undefined || !receipt.ok) return notRun('there is no public key to check with')
    const { iat, exp } = chosen.key
    if (wasAlive(chosen.key, receipt.value.issued_at)) return outcome([])
    const life = `from ${seconds(iat) ?? 'ever'} to ${seconds(exp) ?? 'now'}`
    return outcome([
      finding('key_outside_life', `issued at ${receipt.value.issued_at}, and the key signed ${life}`),
    ])
  },
}

function seconds(time: number | undefined): string | undefined {
  if (time === undefined) return undefined
  const date = new Date(time * 1000)
  return Number.isNaN(date.getTime()) ? `${time} s` : date.toISOString()
}
