import type { outside as english } from '../en/outside.ts'

export const outside: typeof english = {
  titles: {
    expired: 'Ce lien a expiré',
    revoked: 'Ce lien a été révoqué',
    replaced: 'Ce lien a été remplacé',
    not_found: 'Ce lien n’est pas valide',
    exhausted: 'La limite de téléchargements est atteinte',
    closed: 'Ce lien est fermé',
  },
}
