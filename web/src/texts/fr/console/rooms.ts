import type { rooms as english } from '../../en/console/rooms.ts'
import { counted } from '../words.ts'

export const rooms: typeof english = {
  rooms: 'Salles de données',
  open: 'Ouvrir une salle',
  title: 'Ouvrir une salle pour les examinateurs',
  created: 'La salle est ouverte',
  toRoom: 'Aller à la salle',
  name: 'Nom de la salle',
  nameHint: 'Les examinateurs le voient, par exemple « Audit 2026 ».',
  what: 'Ce que contient la salle',
  chosen: 'Des kits que je choisis',
  wholeSeries: 'Une série, avec les kits qui arrivent tant que la salle est ouverte',
  series: 'Série',
  seriesHint: 'Les 100 kits les plus récents.',
  find: 'Chercher des kits',
  count: (count) => counted(count, 'kit choisi', 'kits choisis'),
  ofSeries: (series) => `Série « ${series} », avec les kits à venir`,
  columns: { room: 'Salle', status: 'Statut', questions: 'Questions', used: 'Utilisation' },
  questions: (count) => `${counted(count, 'question', 'questions')} sans réponse`,
  noQuestions: 'Aucune en attente',
  reviewers: 'Examinateurs',
  looked: 'Consulté',
  toKit: 'Voir le kit',
  kit: 'Le kit entier',
  notReviewed: 'Personne n’a rien marqué ici comme examiné.',
  boundary: 'Toute personne munie d’un lien voit tous les commentaires de cette salle et leurs auteurs.',
}
