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

const secrets = (count: number): string => counted(count, 'mögliches Geheimnis', 'mögliche Geheimnisse')

export const consoleTexts: typeof english = {
  title: 'Konsole',
  menu: 'Menü',
  places: 'Konsole',
  manage: 'Verwalten',
  signOut: 'Abmelden',
  frozen: {
    title: 'Derzeit werden keine Kits ausgestellt',
    text: (reason) =>
      `Der Betreiber muss zuerst das Log dieses Dienstes prüfen: ${reason}. Sie können Nachweise wie gewohnt einreichen. Die Kits werden danach ausgestellt, ohne dass Sie etwas tun müssen.`,
  },
  close: 'Schließen',
  cancel: 'Abbrechen',
  more: 'Mehr laden',
  toSubmissions: 'Alle Einreichungen',
  openSubmission: 'Einreichung öffnen',
  secretDone: 'Ich habe es gespeichert',
  graces: { '24': 'Nach 24 Stunden', '168': 'Nach 7 Tagen', '1': 'Nach 1 Stunde', '0': 'Sofort' },
  overview,
  titles: {
    overview: 'Übersicht',
    submissions: 'Einreichungen',
    submission: 'Einreichung',
    new: 'Neue Einreichung',
    requests: 'Anfragen',
    request: 'Anfrage',
    newRequest: 'Neue Anfrage',
    programs: 'Programme',
    program: 'Programm',
    newProgram: 'Neues Programm',
    shares: 'Freigaben',
    room: 'Datenraum',
    profiles: 'Profile',
    keys: 'API-Schlüssel',
    webhooks: 'Webhooks',
    webhook: 'Webhook',
    members: 'Mitglieder',
    audit: 'Audit-Log',
    settings: 'Arbeitsbereich',
    account: 'Ihr Konto',
    service: 'Dienst',
    serviceWorkspaces: 'Alle Arbeitsbereiche',
    serviceWorkspace: 'Arbeitsbereich des Dienstes',
  },
  stages: {
    draft: 'Entwurf',
    queued: 'In Warteschlange',
    running: 'Wird geprüft',
    passed: 'Versiegelt',
    failed: 'Änderung nötig',
    expired: 'Abgelaufen',
  },
  remedy: 'So beheben Sie es:',
  files,
  blockers: (count, areMore = false) => `${number(count)}${areMore ? '+' : ''} Blocker`,
  findings: {
    secrets,
    secretsAccepted: (count) => `${secrets(count)} akzeptiert`,
    problemsAccepted: (count) => `${counted(count, 'Problem', 'Probleme')} akzeptiert`,
    notices: (count) => counted(count, 'Hinweis', 'Hinweise'),
    which: (what, sentences) => `${what}: ${sentences.join(' ')}`,
    secretAt: (path, place) => `${path}, ${place}`,
  },
  blockerPaths: {
    count: files,
    what: (count) => `Alle ${number(count)} Pfade`,
    notListed: (count) =>
      `${counted(count, 'weiterer Pfad ist', 'weitere Pfade sind')} hier nicht aufgeführt. Kopieren Sie die Liste, um alle zu erhalten.`,
    more: (count) => `und ${number(count)} weitere`,
  },
  notEntitled: {
    title: 'Kein API-Zugriff',
    text: (name) =>
      `Der Plan von ${name} enthält keinen API-Zugriff. Wenden Sie sich an den Betreiber dieses Dienstes.`,
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
