import type { consoleTexts as english } from '../../en/console/index.ts'
import { counted, files, number } from '../words.ts'
import { access } from './access.ts'
import { audit } from './audit.ts'
import { custody } from './custody.ts'
import { evidence } from './evidence.ts'
import { overview } from './overview.ts'
import { profiles } from './profiles.ts'
import { programs } from './programs.ts'
import { reissue } from './reissue.ts'
import { requests } from './requests.ts'
import { rooms } from './rooms.ts'
import { service } from './service.ts'
import { shares } from './shares.ts'
import { submissions } from './submissions.ts'
import { federations, webhooks } from './webhooks.ts'
import { workspace } from './workspace.ts'

export const consoleTexts: typeof english = {
  title: 'Console',
  menu: 'Menu',
  places: 'Console',
  manage: 'Gérer',
  signOut: 'Se déconnecter',
  frozen: {
    title: 'Aucun kit n’est émis pour le moment',
    text: (reason) =>
      `L’exploitant doit d’abord contrôler le journal de ce service : ${reason}. Vous pouvez soumettre des preuves comme d’habitude. Leurs kits seront émis ensuite, sans action de votre part.`,
  },
  close: 'Fermer',
  cancel: 'Annuler',
  more: 'Charger la suite',
  toSubmissions: 'Toutes les soumissions',
  openSubmission: 'Ouvrir la soumission',
  secretDone: 'C’est enregistré',
  graces: { '24': 'Après 24 heures', '168': 'Après 7 jours', '1': 'Après 1 heure', '0': 'Immédiatement' },
  overview,
  titles: {
    overview: 'Vue d’ensemble',
    submissions: 'Soumissions',
    submission: 'Soumission',
    new: 'Nouvelle soumission',
    requests: 'Demandes',
    request: 'Demande',
    newRequest: 'Nouvelle demande',
    programs: 'Programmes',
    program: 'Programme',
    newProgram: 'Nouveau programme',
    shares: 'Partages',
    room: 'Salle de données',
    profiles: 'Profils',
    keys: 'Clés API',
    webhooks: 'Webhooks',
    webhook: 'Webhook',
    members: 'Membres',
    audit: 'Journal d’audit',
    settings: 'Espace de travail',
    account: 'Votre compte',
    service: 'Service',
    serviceWorkspaces: 'Tous les espaces de travail',
    serviceWorkspace: 'Espace de travail du service',
  },
  stages: {
    draft: 'Brouillon',
    queued: 'En file d’attente',
    running: 'Contrôle en cours',
    passed: 'Scellé',
    failed: 'À corriger',
    expired: 'Expiré',
  },
  remedy: 'Comment corriger :',
  files,
  blockers: (count, areMore = false) =>
    areMore ? `${number(count)}+ points bloquants` : counted(count, 'point bloquant', 'points bloquants'),
  findings: {
    secrets: (count) => counted(count, 'secret possible', 'secrets possibles'),
    secretsAccepted: (count) => counted(count, 'secret possible accepté', 'secrets possibles acceptés'),
    problemsAccepted: (count) => counted(count, 'problème accepté', 'problèmes acceptés'),
    notices: (count) => counted(count, 'remarque', 'remarques'),
    which: (what, sentences) => `${what} : ${sentences.join(' ')}`,
    secretAt: (path, place) => `${path}, ${place}`,
  },
  blockerPaths: {
    count: files,
    what: (count) => `les ${number(count)} chemins`,
    notListed: (count) =>
      `${counted(count, 'autre chemin n’est pas affiché', 'autres chemins ne sont pas affichés')} ici. Copiez la liste pour les obtenir tous.`,
    more: (count) => `et ${counted(count, 'autre', 'autres')}`,
  },
  notEntitled: {
    title: 'Pas d’accès à l’API',
    text: (name) =>
      `Le forfait de ${name} ne comprend pas l’accès à l’API. Adressez-vous à l’exploitant de ce service.`,
  },
  audit,
  custody,
  reissue,
  requests,
  programs,
  webhooks,
  federations,
  service,
  shares,
  rooms,
  ...access,
  ...evidence,
  ...profiles,
  ...submissions,
  ...workspace,
}
