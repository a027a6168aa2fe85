import type { provenance as english } from '../en/provenance.ts'

export const provenance: typeof english = {
  title: 'Provenance des preuves',
}
