import type { overview as english } from '../../en/console/overview.ts'
import { counted, items, kits } from '../words.ts'

export const overview: typeof english = {
  attention: 'À traiter',
  nothing: 'Rien ne demande votre attention.',
  waiting: {
    failed: (title) => `« ${title} » est à corriger`,
    mail: (to, _, reason) =>
      `L’e-mail ${to === '' ? '' : `à ${to} `}n’a pas été envoyé${reason === '' ? '' : ` : ${reason}`}`,
    period_failed: (title) => `« ${title} » n’a pas été scellé. Ses fichiers sont à corriger`,
    item_late: (title) => `Votre élément « ${title} » est en retard`,
    item_sent_back: (title) => `Votre élément « ${title} » est à corriger`,
    item: (title) => `Votre élément « ${title} » arrive à échéance`,
    review: (title, count) => `Réponse à « ${title} » : ${items(count)} à examiner`,
    unanswered: (title, count) =>
      `Réponse à « ${title} » : ${items(count)} sans fichiers. À renvoyer, ou à marquer comme sans objet`,
    overdue: (title) => `La demande « ${title} » est en retard`,
    due: (title) => `La demande « ${title} » arrive à échéance`,
    sent_back: (title, count) =>
      `Demande « ${title} » : ${counted(count, 'élément renvoyé', 'éléments renvoyés')} au fournisseur`,
    question: (title, count) =>
      `Salle « ${title} » : ${counted(count, 'question', 'questions')} sans réponse`,
    draft: (title) => `Le brouillon « ${title} » a des fichiers qui ne sont pas soumis`,
    share: (title) => `Le partage de « ${title} » expire`,
    key: (title) => `La clé API « ${title} » expire`,
    name: () => 'Cet espace de travail n’a pas encore de nom',
    evidence: (_, count) =>
      `Les preuves de ${count < 1000 ? kits(count) : '1 000 kits ou plus'} seront supprimées selon la règle de conservation`,
  },
  more: 'Il y en a d’autres. Voir Demandes, Soumissions et Partages.',
  toReview: 'À examiner',
  recent: 'Soumissions récentes',
  first: {
    title: 'Émettez votre premier kit',
    text: 'Un kit, ce sont des preuves avec un reçu signé. Chacun peut le contrôler, avec ou sans ce service.',
    steps: [
      {
        title: 'Choisissez des fichiers',
        text: 'Ils sont contrôlés dans votre navigateur avant tout téléversement.',
      },
      {
        title: 'Soumettez',
        text: 'Le service les contrôle à nouveau, les scelle et émet le kit en quelques secondes.',
      },
      {
        title: 'Partagez le kit',
        text: 'Envoyez un lien. Le destinataire n’a pas besoin de compte pour le contrôler et le télécharger.',
      },
    ],
    own: 'Utiliser mes propres fichiers',
    viewer:
      'Demandez à un membre ou à un propriétaire de soumettre des preuves : votre rôle ne permet que la lecture.',
  },
}
