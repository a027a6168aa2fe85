import type { evidence as english } from '../../en/console/evidence.ts'
import { counted, files, number } from '../words.ts'

export const evidence: typeof english = {
  new: {
    lead: 'Wählen Sie Dateien aus. Die Dateien werden in Ihrem Browser geprüft und erst beim Einreichen hochgeladen.',
    label: 'Name',
    labelHint:
      'Prüfer sehen diesen Namen. Verwenden Sie denselben Namen für Kits, die Sie später vergleichen möchten.',
    labelExample: 'Zugriffsüberprüfung, Q3',
    profile: 'Profil',
    profileHint: 'Ein Profil ist eine Checkliste der erforderlichen Dateien.',
    attributes: {
      title: 'Serie, Schlagwörter und externe ID',
      series: 'Serie',
      seriesHint:
        'Für Nachweise, die Sie immer wieder sammeln. Jedes Kit zeigt, was sich seit dem letzten geändert hat.',
      seriesExample: 'Zugriffsüberprüfung',
      tags: 'Schlagwörter',
      tagsHint: 'Zum Wiederfinden. Drücken Sie nach jedem die Eingabetaste.',
      externalId: 'Externe ID',
      externalIdHint: 'Ihre eigene ID, zum Beispiel eine Ticketnummer.',
    },
    provenance: {
      title: 'Herkunft',
      hint: 'Optional. Das Kit zeigt es als von Ihnen angegeben, nicht als verifiziert.',
      collector: 'Gesammelt mit',
      collectorHint: 'Das Werkzeug oder die Rolle der Person, die die Dateien gesammelt hat.',
      collectorExample: 'Prowler 5.9',
      period: 'Abgedeckter Zeitraum',
      from: 'Von',
      to: 'Bis',
      bothDates: 'Geben Sie beide Daten des Zeitraums ein oder keines.',
      wrongPeriod: 'Der Zeitraum darf nicht enden, bevor er beginnt.',
    },
    dropTitle: 'Dateien, Ordner oder ein ZIP-Archiv hierher ziehen',
    dropHint: (limit) => `Insgesamt bis zu ${limit}. Noch wird nichts hochgeladen.`,
    reading: 'Dateien werden gelesen…',
    dropMore: 'Weitere Dateien irgendwo auf diese Seite ziehen',
    chooseFiles: 'Dateien auswählen…',
    chooseFolder: 'Ordner auswählen…',
    nothing: 'Keine Dateien gefunden.',
    skipped: (count) =>
      `${files(count)} übersprungen: Eine Datei mit demselben Namen ist schon in dieser Einreichung.`,
    unreadable: (why) =>
      `Das lässt sich nicht lesen (${why}). Versuchen Sie „Ordner auswählen…“ oder ein ZIP-Archiv.`,
    filesTitle: (count, size) => `${files(count)}, ${size}`,
    fileList: 'Ausgewählte Dateien',
    problems: (count, more = false) =>
      more ? `${number(count)}+ Probleme` : counted(count, 'Problem', 'Probleme'),
    withProblems: (count) => `${files(count)} mit Problemen`,
    removeFile: (name) => `${name} entfernen`,
    sendingFile: (name) => `${name} wird hochgeladen`,
    sent: 'hochgeladen',
    tooLarge: {
      title: 'Zu groß',
      text: (size, limit) =>
        `Diese Dateien haben ${size}. Die Grenze ist ${limit}. Entfernen Sie einige Dateien oder teilen Sie sie auf zwei Einreichungen auf.`,
    },
    check: {
      running: 'Dateien werden in Ihrem Browser geprüft',
      goodTitle: 'Keine Probleme gefunden. Bereit zum Einreichen.',
      goodWithNotices: 'Bereit zum Einreichen. Beachten Sie die Hinweise unten.',
      badTitle: (problems) => `${problems} gefunden`,
      removeFiles: (count) =>
        count === 1 ? 'Problemdatei entfernen' : `Die ${number(count)} Problemdateien entfernen`,
      bad: 'Korrigieren Sie diese Dateien und ziehen Sie sie noch einmal hierher: Eine Datei mit demselben Namen ersetzt die alte. Es wurde nichts hochgeladen.',
      failedTitle: 'Die Prüfung konnte in Ihrem Browser nicht laufen',
      failed: (why) =>
        `Sie können trotzdem einreichen: Der Dienst prüft die Dateien nach dem Hochladen. (${why})`,
    },
    accept: {
      secrets: {
        title: 'Ein mögliches Geheimnis einreichen?',
        text: 'Alle, die das Kit erhalten, können es lesen, und ein Kit lässt sich nicht zurückholen. Das Kit hält fest, was Sie hier zur Kenntnis nehmen, und die Mappe zeigt es.',
        label: (count) =>
          `Ich habe ${count === 1 ? 'es' : 'sie'} geprüft. Mit ${counted(count, 'möglichen Geheimnis', 'möglichen Geheimnissen')} einreichen.`,
      },
      files: {
        title: 'Beschädigte Dateien unverändert einreichen?',
        text: 'Das Kit hält fest, was Sie hier zur Kenntnis nehmen, und die Mappe zeigt es. Gefährliche Dateien können nicht eingereicht werden.',
        label: (count) =>
          count === 1
            ? 'Das ist mir bekannt. Datei unverändert einreichen.'
            : `Das ist mir bekannt. Die ${number(count)} Dateien unverändert einreichen.`,
      },
      items: {
        title: 'Mit unvollständigen Positionen einreichen?',
        text: 'Das Profil verlangt mehr. Das Kit hält fest, was Sie hier zur Kenntnis nehmen, und die Mappe zeigt es.',
        label: (count) =>
          `Das ist mir bekannt. Mit ${counted(count, 'unvollständigen Position', 'unvollständigen Positionen')} einreichen.`,
      },
    },
    send: 'Einreichen',
    sending: 'Wird hochgeladen. Lassen Sie diese Seite geöffnet.',
    sentOf: (sent, all) => `${number(sent)} von ${files(all)} hochgeladen`,
    leave: {
      title: 'Seite verlassen, ohne einzureichen?',
      text: (count) =>
        count === 1
          ? '1 ausgewählte Datei ist noch nicht eingereicht. Wenn Sie die Seite verlassen, müssen Sie sie noch einmal auswählen.'
          : `${number(count)} ausgewählte Dateien sind noch nicht eingereicht. Wenn Sie die Seite verlassen, müssen Sie sie noch einmal auswählen.`,
      stay: 'Bleiben',
      leave: 'Verlassen',
    },
    cancel: 'Abbrechen',
    cancelled: 'Hochladen abgebrochen.',
    stoppedTitle: 'Upload unvollständig',
    stopped: 'Hochgeladene Dateien bleiben erhalten. „Fortsetzen“ lädt den Rest hoch.',
    retry: 'Fortsetzen',
    notReady: {
      files: 'Wählen Sie zuerst Dateien aus.',
      label: 'Geben Sie zuerst einen Namen ein.',
      size: 'Die Dateien sind zu groß.',
    },
  },
}
