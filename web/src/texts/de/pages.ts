import type { pages as english } from '../en/pages.ts'
import { number } from './words.ts'

export const pages: typeof english = {
  frame: {
    name: 'kitseal',
    home: 'Startseite von kitseal',
    skip: 'Zum Inhalt springen',
    navigation: 'Hauptmenü',
    verify: 'Prüfen',
    docs: 'Doku',
    console: 'Konsole',
    language: 'Sprache',
    documentTitle: (title) => (title === '' ? 'kitseal' : `${title} · kitseal`),
  },
  copy: {
    copyWhat: (what) => `${what} kopieren`,
    copied: 'Kopiert',
    failed: 'Der Browser hat das Kopieren blockiert. Markieren und kopieren Sie den Text selbst.',
  },
  problem: {
    offline: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    unexpected: 'Unerwartete Antwort des Dienstes. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
    retry: 'Erneut versuchen',
    title: 'Etwas ist schiefgegangen',
    crashed:
      'Diese Seite ist abgestürzt. Laden Sie sie neu, um weiterzumachen. Hochgeladene Dateien sind nicht verloren.',
    reload: 'Neu laden',
  },
  colon: ': ',
  loading: 'Wird geladen',
  showAll: (count) => `Alle ${number(count)} anzeigen`,
  home: {
    title: '',
    heading: 'Nachweis-Kits, die Manipulation erkennbar machen',
    lead: 'Laden Sie Nachweise hoch und erhalten Sie ein signiertes Kit. Jeder kann es verifizieren: im Browser, auf der Kommandozeile oder von Hand, mit diesem Dienst oder ohne ihn.',
    verifyAction: 'Kit verifizieren',
    consoleAction: 'Konsole öffnen',
    steps: [
      {
        title: 'Nachweise hochladen',
        text: 'Dateien, Ordner oder ein ZIP-Archiv. Jede Datei wird geprüft. Probleme werden zusammen aufgelistet, jedes mit einem Weg, es zu beheben.',
      },
      {
        title: 'Kit erhalten',
        text: 'Ihre Dateien mit ihren Hashwerten, ein Manifest, eine mit Ed25519 signierte Quittung, eine Mappe zum Lesen und Drucken und ein Prüfprogramm, das offline läuft.',
      },
      {
        title: 'Jeder kann es verifizieren',
        text: 'Ändert sich ein Byte, kommt eine Datei hinzu oder fehlt eine, oder ist der Schlüssel nicht unserer, dann schlägt die Verifizierung fehl und nennt den Grund.',
      },
    ],
    proves: 'Was „Verifiziert“ belegt',
    provesList: [
      'Die Dateien stimmen Byte für Byte mit dem Manifest überein.',
      'Das Manifest stimmt mit der Quittung überein.',
      'Die Quittung nennt einen öffentlichen Schlüssel dieses Dienstes.',
      'Die Signatur der Quittung ist gültig.',
      'Das Kit hat sich also seit der Ausstellung nicht verändert.',
    ],
    provesNot: 'Was „Verifiziert“ nicht belegt',
    provesNotList: [
      'Dass eine Organisation Vorschriften einhält oder sicher ist.',
      'Dass Kontrollen wirksam sind.',
      'Dass ein Kunde, Prüfer, Versicherer, eine Bank oder eine Behörde die Nachweise akzeptiert hat.',
      'Dass die Nachweise wahr oder ausreichend sind. Für den Inhalt ist der Lieferant verantwortlich.',
    ],
    keys: {
      title: 'Signaturschlüssel dieses Dienstes',
      lead: 'Eine Schlüssel-ID ist der Fingerabdruck eines Schlüssels. Bevor Sie sich darauf verlassen, vergleichen Sie sie mit der, die Ihnen der Aussteller auf einem anderen Weg mitgeteilt hat.',
      kid: 'Schlüssel-ID',
      since: 'Seit',
      status: 'Status',
      issuer: 'Aussteller',
      statuses: {
        active: 'Aktiv',
        retired: (until) => `Am ${until} außer Dienst gestellt. Seine Quittungen bleiben gültig.`,
        revoked: (heading) =>
          `${heading}. Damit signierte Kits lassen sich nicht mehr verifizieren. Bitten Sie den Lieferanten um neu ausgestellte Kits.`,
      },
      unavailable: 'Die Schlüssel konnten nicht geladen werden.',
      none: 'Dieser Dienst hat noch keinen Signaturschlüssel.',
      file: 'Schlüsselsatz (jwks.json)',
    },
    offline: {
      title: 'Auf der Kommandozeile verifizieren',
      text: 'Dieselben Prüfungen, mit den Schlüsseln dieses Dienstes:',
      command: (origin) => `kitseal verify kit.zip --issuer ${origin}`,
      more: 'Jedes Kit enthält außerdem START-HERE.html, das es offline im Browser verifiziert, und VERIFY.md mit einer Anleitung, wie es sich mit sha256sum und openssl verifizieren lässt.',
      what: 'Befehl',
    },
    links: {
      title: 'Für Entwickler',
      docs: 'Dokumentation',
      openapi: 'OpenAPI-Beschreibung (openapi.json)',
      log: 'Transparenzlog',
    },
  },
  notFound: {
    title: 'Seite nicht gefunden',
    text: 'Unter dieser Adresse gibt es keine Seite.',
    action: 'Zur Startseite',
  },
}
