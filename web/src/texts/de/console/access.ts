import type { access as english } from '../../en/console/access.ts'
import { counted } from '../words.ts'

const passkeys = (count: number): string => counted(count, 'Passkey', 'Passkeys')

export const access: typeof english = {
  roles: {
    names: { owner: 'Eigentümer', manager: 'Manager', member: 'Mitglied', viewer: 'Leser' },
    explained:
      'Leser können lesen. Mitglieder können außerdem Nachweise einreichen, sie von Lieferanten anfordern und Kits freigeben. Manager können außerdem Programme führen und Profile ändern. Eigentümer können außerdem Löschsperren setzen, Nachweise löschen, Kits neu ausstellen und API-Schlüssel, Mitglieder und den Arbeitsbereich verwalten.',
    needs: (permission, role) => {
      const [who, what] = {
        submit: ['Mitglieder, Manager und Eigentümer', 'Nachweise einreichen'],
        shares: ['Mitglieder, Manager und Eigentümer', 'Kits freigeben'],
        profiles: ['Manager und Eigentümer', 'Profile ändern'],
        webhooks: ['Eigentümer', 'Webhooks verwalten'],
        keys: ['Eigentümer', 'API-Schlüssel verwalten'],
        members: ['Eigentümer', 'Mitglieder verwalten'],
        settings: ['Eigentümer', 'den Arbeitsbereich ändern'],
        reissue: ['Eigentümer', 'Kits neu ausstellen'],
        requests: ['Mitglieder, Manager und Eigentümer', 'Anfragen verwalten'],
        programs: ['Manager und Eigentümer', 'Programme verwalten'],
        comments: ['Manager und Eigentümer', 'Kommentare löschen'],
        custody: ['Eigentümer', 'Löschsperren setzen und Nachweise löschen'],
      }[permission]
      return `Nur ${who} können ${what}. Ihre Rolle: ${role}.`
    },
  },
  workspaces: {
    button: (name) => `Arbeitsbereich ${name}`,
    byPasskey: 'Mit dem Passkey dafür anmelden',
    settings: 'Einstellungen des Arbeitsbereichs',
    failed: 'Der Arbeitsbereich konnte nicht gewechselt werden',
  },
  signIn: {
    title: 'Anmelden',
    heading: 'An der Konsole anmelden',
    withPasskey: 'Mit Passkey anmelden',
    withOidc: (name) => `Mit ${name} anmelden`,
    noAccount: 'Noch kein Konto? Bitten Sie einen Eigentümer Ihres Arbeitsbereichs um einen Einladungslink.',
    operator: 'Betreiber können einen erstellen mit',
    operatorCommand: 'kitseal admin invite',
    unsupported:
      'Passkeys sind hier nicht verfügbar. Nötig sind HTTPS oder localhost und ein Browser, der sie unterstützt. Bitten Sie den Betreiber um einen Anmeldelink.',
    dismissed:
      'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal oder nutzen Sie einen Anmeldelink.',
    alreadyThere: 'Auf diesem Gerät gibt es schon einen Passkey für Sie. Melden Sie sich damit an.',
    noPasskey:
      'Der Browser konnte keinen Passkey verwenden. Versuchen Sie einen anderen Browser oder nutzen Sie einen Anmeldelink.',
    oidcProblems: {
      oidc_refused: 'Die Anmeldung wurde nicht abgeschlossen. Versuchen Sie es noch einmal.',
      oidc_email_unverified:
        'Ihre E-Mail-Adresse ist beim Anmeldeanbieter nicht verifiziert. Verifizieren Sie sie und versuchen Sie es noch einmal.',
      oidc_not_a_member:
        'Sie sind hier in keinem Arbeitsbereich Mitglied. Bitten Sie einen Eigentümer, Ihre E-Mail-Adresse einzuladen.',
      oidc_unavailable:
        'Der Anmeldeanbieter antwortet nicht. Versuchen Sie es später noch einmal oder nutzen Sie einen Passkey.',
    },
  },
  choose: {
    title: 'Arbeitsbereich auswählen',
    lead: (email) => `Sie sind ${email}. Die nächste Anmeldung öffnet denselben Arbeitsbereich.`,
    role: (role) => `Rolle: ${role}`,
    join: (workspace) => `${workspace} beitreten`,
    linked:
      'Jemand ist mit Ihrer Adresse und einem Link beigetreten. Wenn Sie fortfahren, enden dessen Sitzungen und Passkeys hier, und nur Sie können diese Mitgliedschaft nutzen.',
  },
  invite: {
    title: 'Einladung',
    sso: 'Sie melden sich mit Single Sign-on an, deshalb kann nur Single Sign-on diese Einladung annehmen.',
    withOidc: (name) => `Weiter mit ${name}`,
    heading: (workspace) => `${workspace} beitreten`,
    setUp: 'kitseal einrichten',
    setUpText: 'Sie werden Eigentümer dieses Arbeitsbereichs.',
    organization: 'Organisation',
    organizationHint: 'Kits nennen sie als Herkunft. Sie können sie später ändern.',
    name: 'Ihr Name',
    email: 'Ihre E-Mail-Adresse',
    as: (email, role) => `${email}, Rolle: ${role}`,
    label: 'Name des Passkeys (optional)',
    labelHint: 'Damit Sie ihn später wiedererkennen.',
    labelExample: 'Arbeitslaptop',
    makePasskey: 'Passkey erstellen und anmelden',
    without: 'Einmal ohne Passkey anmelden',
    unsupported:
      'Passkeys sind hier nicht verfügbar. Nötig sind HTTPS oder localhost und ein Browser, der sie unterstützt. Sie können sich einmal ohne Passkey anmelden.',
    expires: 'Dieser Link gilt einmal. Er läuft ab am',
    invalid: 'Dieser Link kann nicht verwendet werden',
    invalidHint: 'Ein Einladungslink gilt einmal und nur, bis er abläuft. Bitten Sie um einen neuen.',
    noToken: {
      title: 'Dieser Link ist unvollständig',
      text: 'Ein Einladungslink endet mit „#“ und einem langen Code. Öffnen Sie den vollständigen Link oder bitten Sie um einen neuen.',
    },
    toSignIn: 'Zur Anmeldung',
  },
  account: {
    lead: (email, role) => `${email}, ${role}`,
    person: {
      title: 'Sie',
      name: 'Ihr Name',
      email: 'E-Mail-Adresse',
      emailHint: 'Mitglieder sehen sie. E-Mails für Sie gehen dorthin. Sie ist nicht verifiziert.',
      fixed: (email) => `Ihr Anmeldeanbieter gibt ${email} als Ihre Adresse an.`,
    },
    passkeys: {
      title: 'Passkeys',
      text: 'Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder PIN an. Fügen Sie einen auf einem zweiten Gerät hinzu, falls Sie das erste verlieren.',
      none: 'Sie haben keinen Passkey: Sie haben sich mit einem Link angemeldet. Fügen Sie jetzt einen hinzu, sonst brauchen Sie beim nächsten Mal einen neuen Link.',
      label: 'Name (optional)',
      add: 'Passkey hinzufügen',
      added: 'Hinzugefügt',
      used: 'zuletzt verwendet',
      neverUsed: 'nie verwendet',
      backedUp: 'synchronisiert',
      remove: {
        action: 'Entfernen',
        title: (label) => `„${label}“ entfernen?`,
        text: 'Sie können sich mit diesem Passkey nicht mehr anmelden. Damit begonnene Sitzungen bleiben aktiv.',
      },
    },
    sessions: {
      title: 'Sitzungen',
      text: 'Browser, in denen Sie angemeldet sind.',
      current: 'Dieser Browser',
      methods: { passkey: 'Passkey', link: 'Link', oidc: 'Single Sign-on' },
      signedIn: (method) => `Mit ${method} angemeldet:`,
      active: 'zuletzt aktiv:',
      end: 'Abmelden',
      endOthers: 'Überall sonst abmelden',
    },
  },
  members: {
    lead: 'Personen, die diesen Arbeitsbereich nutzen können.',
    title: 'Mitglieder',
    you: '(Sie)',
    never: 'Nie',
    passkeys,
    roleOf: (email) => `Rolle von ${email}`,
    columns: { email: 'Mitglied', role: 'Rolle', seen: 'Aktiv', actions: 'Aktionen' },
    remove: {
      action: 'Entfernen',
      title: (email) => `${email} entfernen?`,
      text: 'Die Person wird sofort abgemeldet. Ihre Einreichungen bleiben.',
      keep: 'Diese API-Schlüssel und CI-Systeme behalten',
      keepHint:
        'Die übrigen werden widerrufen, samt den Schlüsseln, die sie erstellt haben. Für die behaltenen sind Sie verantwortlich.',
      key: (label) => `API-Schlüssel „${label}“`,
      federation: (label) => `CI-System „${label}“`,
      end: 'Diese Freigaben und Anfragen beenden',
      endHint: 'Die übrigen bleiben, wie sie sind.',
      share: (label) => `Freigabe von „${label}“`,
      request: (title) => `Anfrage „${title}“`,
      invitations: (emails) => `Offene Einladungen für ${emails} werden widerrufen.`,
      yourself:
        'Das ist Ihr eigenes Konto. Sie werden sofort abgemeldet und brauchen eine neue Einladung, um zurückzukehren.',
    },
    invite: {
      title: 'Mitglied einladen',
      email: 'E-Mail-Adresse',
      role: 'Rolle',
      action: 'Einladungslink erstellen',
      made: (email) => `Einladungslink für ${email}`,
      madeText:
        'Senden Sie diesen Link auf einem Weg, dem Sie vertrauen. Er wird nur einmal angezeigt, gilt für eine Verwendung und läuft nach 7 Tagen ab.',
      what: 'Einladungslink',
    },
    open: {
      title: 'Offene Einladungen',
      none: 'Keine offenen Einladungen.',
      revoke: 'Widerrufen',
      columns: {
        email: 'E-Mail',
        role: 'Rolle',
        by: 'Von',
        until: 'Läuft ab',
        actions: 'Aktionen',
      },
    },
  },
}
