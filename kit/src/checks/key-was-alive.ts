import { finding } from '../errors.ts'
import type { ReceiptFacts } from '../facts.ts'
import { wasKeyActive } from '../jwks.ts'
import { type Check, notRun, outcome, passWith, time } from '../report.ts'
import { en } from '../texts/en.ts'

export const keyWasAlive: Check<ReceiptFacts> = {
  check: 'key_was_alive',
  guarantee: en.checks.key_was_alive,
  run({ chosen, receipt }) {
    if (chosen?.sender === 'revoked' && chosen.revoked !== undefined) {
      const { kid, revoked_at: revokedAt } = chosen.revoked
      return outcome([finding('key_revoked', `the issuer revoked key ${kid} on ${revokedAt}`)])
    }
    if (chosen?.key === undefined || !receipt.ok) return notRun('no public key is available')
    const { iat, exp } = chosen.key
    if (wasKeyActive(chosen.key, receipt.value.issued_at)) {
      const since = chosen.revoked?.compromised_since
      return since === undefined
        ? outcome([])
        : passWith(`the key was compromised at ${since}, but this receipt is older`)
    }
    const period = [
      ...(iat === undefined ? [] : [`from ${time(iat)}`]),
      ...(exp === undefined ? [] : [`until ${time(exp)}`]),
    ]
    return outcome([
      finding(
        'key_outside_life',
        `issued at ${receipt.value.issued_at}, but the key was active ${period.join(' ')}`,
      ),
    ])
  },
}
