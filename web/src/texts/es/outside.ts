import type { outside as english } from '../en/outside.ts'

export const outside: typeof english = {
  titles: {
    expired: 'Este enlace ha caducado',
    revoked: 'Este enlace fue revocado',
    replaced: 'Este enlace fue sustituido',
    not_found: 'Este enlace no es válido',
    exhausted: 'Se alcanzó el límite de descargas',
    closed: 'Este enlace está cerrado',
  },
}
