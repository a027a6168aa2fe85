import type { custody as english } from '../../en/console/custody.ts'
import { counted } from '../words.ts'

export const custody: typeof english = {
  title: 'Gel juridique et suppression',
  lead: 'Un gel juridique (legal hold) empêche la suppression des preuves, par la règle de conservation ou par quiconque.',
  leadHeld: 'Les preuves sont conservées jusqu’à la levée du gel.',
  hold: 'Poser un gel juridique',
  release: 'Lever le gel',
  delete: 'Supprimer les preuves',
  reason: 'Motif',
  reasonExample: 'Affaire 2026-17',
  held: (day) => `Sous gel juridique depuis le ${day}`,
  erased: (day, by) => `Preuves supprimées le ${day} ${by}`,
  byRule: (rule) => `selon la règle de conservation : ${rule}`,
  byOrder: (who) => `sur ordre de : ${who.replace(/^member:/, 'membre ').replace(/^key:/, 'clé API ')}`,
  erasedText: (count, size) =>
    `${counted(count, 'fichier supprimé', 'fichiers supprimés')} (${size}). Le manifeste, le reçu et la preuve du journal restent, et une attestation de suppression signée dit ce qui a été supprimé.`,
  dialogs: {
    hold: {
      title: 'Poser un gel juridique ?',
      text: 'Personne ne peut supprimer les preuves avant la levée du gel. Le journal d’audit consigne le gel et son motif.',
      action: 'Poser le gel',
    },
    release: {
      title: 'Lever le gel juridique ?',
      text: 'La règle de conservation s’applique à nouveau, et les propriétaires peuvent supprimer les preuves.',
      action: 'Lever le gel',
    },
    delete: {
      title: 'Supprimer les preuves ?',
      text: 'Cette action est irréversible. Le manifeste et le reçu d’un kit émis restent, avec une attestation signée de la suppression. Les kits que d’autres ont téléchargés peuvent toujours être vérifiés.',
      action: 'Supprimer les preuves',
    },
  },
}
