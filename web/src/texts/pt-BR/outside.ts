import type { outside as english } from '../en/outside.ts'

export const outside: typeof english = {
  titles: {
    expired: 'Este link expirou',
    revoked: 'Este link foi revogado',
    replaced: 'Este link foi substituído',
    not_found: 'Este link não é válido',
    exhausted: 'O limite de downloads foi atingido',
    closed: 'Este link está encerrado',
  },
}
