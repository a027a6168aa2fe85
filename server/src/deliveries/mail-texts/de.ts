import type { MailTexts, MailWords } from './mail-texts.ts'

export const de: MailTexts = {
  invitation: {
    subject: 'Einladung zu {workspace}',
    before: ['{inviter} hat Sie in den Arbeitsbereich {workspace} eingeladen. Ihre Rolle: {role}.'],
    action: 'Einladung annehmen',
    after: [
      'Der Link gilt einmal und läuft am {expires} ab. Wer ihn hat, kann ihn verwenden; leiten Sie diese E-Mail daher nicht weiter.',
      'Wenn Sie diese Einladung nicht erwartet haben, ignorieren Sie diese E-Mail.',
    ],
  },
  request: {
    subject: '{workspace} bittet um Nachweise: {title}',
    before: [
      '{workspace} bittet Sie um Nachweise: {title}.',
      '{message}',
      'Positionen: {items}.',
      'Fällig am {due}.',
    ],
    action: 'Anfrage öffnen',
    after: [
      'Sie brauchen kein Konto. Wer den Link hat, kann für Sie hochladen; leiten Sie ihn nur an Personen weiter, die das tun sollen.',
    ],
  },
  reminder: {
    subject: 'Erinnerung: {title} {when}',
    before: [
      'Die von {workspace} angefragten Nachweise: {title} {when}.',
      'Fällig am {due}.',
      'Offene Positionen: {open}.',
    ],
    action: 'Anfrage öffnen',
    after: [],
  },
  period: {
    subject: '{title} {when}',
    before: ['{title} von {workspace} {when}.', '{message}', 'Ihre Positionen: {items}.', 'Fällig am {due}.'],
    action: 'Zeitraum öffnen',
    after: [],
  },
  result: {
    subject: '{title}: {result}',
    before: ['{title}, für {workspace}: {result}.', '{advice}'],
    action: 'Öffnen',
    after: [],
  },
  share: {
    subject: '{workspace} hat Nachweise für Sie freigegeben: {title}',
    before: ['{workspace} hat Nachweise für Sie freigegeben: {title}.', '{note}', '{password}'],
    action: 'Freigabe öffnen',
    after: [
      'Die Seite prüft die Dateien in Ihrem Browser. Sie brauchen kein Konto.',
      'Der Link wurde für Sie erstellt, und der Absender sieht, wann er verwendet wird. Er läuft am {expires} ab. Wer ihn hat, kann die Freigabe öffnen.',
    ],
  },
  key_revocation: {
    subject: 'Signaturschlüssel widerrufen: {kits} Ihrer Kits sind betroffen',
    before: [
      'Der Signaturschlüssel {kid} wurde am {revoked} widerrufen. Damit wurden {kits} Kits von {workspace} signiert.',
      'Sein privater Schlüssel ist möglicherweise seit {since} in anderen Händen. Kits, die nachweislich älter sind, bleiben gültig.',
      'Prüfprogramme melden diese Kits jetzt als mit einem widerrufenen Schlüssel signiert. Sie können sie mit einem neuen Schlüssel neu ausstellen.',
    ],
    action: 'Betroffene Kits anzeigen',
    after: [],
  },
  webhook_disabled: {
    subject: 'Webhook deaktiviert: {url}',
    before: [
      'Der Webhook {url} von {workspace} ist seit {since} fehlgeschlagen und wurde deaktiviert.',
      'Letztes Problem: {problem}',
      'Kein Ereignis geht verloren: Sobald der Empfänger wieder funktioniert, aktivieren Sie den Webhook, und er macht dort weiter, wo er aufgehört hat.',
    ],
    action: 'Arbeitsbereich öffnen',
    after: [],
  },
  test: {
    subject: 'Test-E-Mail von {issuer}',
    before: [
      'Sie haben diese E-Mail als Betreiber von {issuer} und Mitglied von {workspace} angefordert. Der Dienst kann E-Mails versenden.',
    ],
    action: 'Seite des Dienstes öffnen',
    after: [],
  },
  access_reset: {
    subject: 'Ihr Zugang zu {workspace} wurde zurückgesetzt',
    before: [
      'Der Betreiber {operator} hat Ihre Passkeys für den Arbeitsbereich {workspace} gelöscht und Ihre Sitzungen beendet.',
      'Öffnen Sie den Link, um sich anzumelden und einen neuen Passkey hinzuzufügen.',
    ],
    action: 'Anmelden',
    after: [
      'Der Link gilt einmal und läuft am {expires} ab. Wer ihn hat, kann ihn verwenden; leiten Sie diese E-Mail daher nicht weiter.',
      'Wenn Sie das nicht veranlasst haben, informieren Sie einen Eigentümer des Arbeitsbereichs. Das Audit-Log nennt den Betreiber.',
    ],
  },
}

export const words: MailWords = {
  unsubscribe: 'Keine E-Mails mehr von {workspace} erhalten',
  unsubscribeText: 'Um keine E-Mails mehr von {workspace} zu erhalten: {url}',
  phrases: {
    notComplete: 'ist noch nicht vollständig',
    overdue: 'ist überfällig',
    today: 'ist heute fällig',
    tomorrow: 'ist morgen fällig',
    inDays: 'ist in {} Tagen fällig',
    open: 'ist offen',
    needsChanges: 'Änderung nötig',
    accepted: 'angenommen',
    submitted: 'vom Lieferanten eingereicht',
    wrote: '{} hat in diesem Datenraum geschrieben',
    reviewerWrote: 'Ein Prüfer hat in diesem Datenraum geschrieben',
    downloadedShare: '{} hat etwas aus dieser Freigabe heruntergeladen',
    downloadedRoom: '{} hat etwas aus diesem Datenraum heruntergeladen',
    someoneShare: 'Jemand mit dem Link hat etwas aus dieser Freigabe heruntergeladen',
    someoneRoom: 'Jemand mit dem Link hat etwas aus diesem Datenraum heruntergeladen',
    nothingLeft: 'Es ist nichts mehr zu tun.',
    seeComments: 'Öffnen Sie die Anfrage, um die Kommentare zu sehen.',
    seePeriod: 'Öffnen Sie den Zeitraum, um die Kommentare zu sehen.',
    acceptOrReturn: 'Nehmen Sie die Positionen an oder geben Sie sie mit einem Kommentar zurück.',
    readAndAnswer: 'Öffnen Sie ihn, um zu lesen und zu antworten.',
    accessLog: 'Die Zugriffsliste enthält jeden Download.',
    password: 'Sie brauchen auch ein Passwort. Fragen Sie {} danach.',
    operator: 'Der Betreiber dieses Dienstes',
    owner: 'Eigentümer',
    manager: 'Manager',
    member: 'Mitglied',
    viewer: 'Leser',
  },
}
