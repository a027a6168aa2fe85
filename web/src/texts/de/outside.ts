import type { outside as english } from '../en/outside.ts'

export const outside: typeof english = {
  titles: {
    expired: 'Dieser Link ist abgelaufen',
    revoked: 'Dieser Link wurde widerrufen',
    replaced: 'Dieser Link wurde ersetzt',
    not_found: 'Dieser Link ist ungültig',
    exhausted: 'Das Download-Limit ist erreicht',
    closed: 'Dieser Link ist geschlossen',
  },
}
