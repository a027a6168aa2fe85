import type { access as english } from '../../en/console/access.ts'
import { counted } from '../words.ts'

export const access: typeof english = {
  roles: {
    names: { owner: 'Propriétaire', manager: 'Gestionnaire', member: 'Membre', viewer: 'Lecteur' },
    explained:
      'Les lecteurs peuvent lire. Les membres peuvent aussi soumettre des preuves, en demander aux fournisseurs et partager des kits. Les gestionnaires peuvent aussi conduire des programmes et modifier des profils. Les propriétaires peuvent aussi poser des gels juridiques, supprimer des preuves, réémettre des kits et gérer les clés API, les membres et l’espace de travail.',
    needs: (permission, role) => {
      const [who, what] = {
        submit: ['les membres, gestionnaires et propriétaires', 'soumettre des preuves'],
        shares: ['les membres, gestionnaires et propriétaires', 'partager des kits'],
        profiles: ['les gestionnaires et propriétaires', 'modifier des profils'],
        webhooks: ['les propriétaires', 'gérer les webhooks'],
        keys: ['les propriétaires', 'gérer les clés API'],
        members: ['les propriétaires', 'gérer les membres'],
        settings: ['les propriétaires', 'modifier l’espace de travail'],
        reissue: ['les propriétaires', 'réémettre des kits'],
        requests: ['les membres, gestionnaires et propriétaires', 'gérer les demandes'],
        programs: ['les gestionnaires et propriétaires', 'gérer les programmes'],
        comments: ['les gestionnaires et propriétaires', 'effacer des commentaires'],
        custody: ['les propriétaires', 'poser des gels juridiques et supprimer des preuves'],
      }[permission]
      return `Seuls ${who} peuvent ${what}. Votre rôle : ${role}.`
    },
  },
  workspaces: {
    button: (name) => `Espace de travail ${name}`,
    byPasskey: 'Se connecter avec sa clé d’accès',
    settings: 'Paramètres de l’espace de travail',
    failed: 'Impossible de changer d’espace de travail',
  },
  signIn: {
    title: 'Se connecter',
    heading: 'Se connecter à la console',
    withPasskey: 'Se connecter avec une clé d’accès',
    withOidc: (name) => `Se connecter avec ${name}`,
    noAccount:
      'Pas encore de compte ? Demandez un lien d’invitation à un propriétaire de votre espace de travail.',
    operator: 'Les exploitants peuvent en créer un avec',
    operatorCommand: 'kitseal admin invite',
    unsupported:
      'Les clés d’accès ne sont pas disponibles ici. Elles exigent HTTPS ou localhost, et un navigateur compatible. Demandez un lien de connexion à l’exploitant.',
    dismissed: 'Aucune clé d’accès n’a été utilisée. Réessayez, ou utilisez un lien de connexion.',
    alreadyThere: 'Cet appareil a déjà une clé d’accès pour vous. Connectez-vous avec elle.',
    noPasskey:
      'Le navigateur n’a pas pu utiliser de clé d’accès. Essayez un autre navigateur, ou utilisez un lien de connexion.',
    oidcProblems: {
      oidc_refused: 'La connexion n’est pas allée à son terme. Réessayez.',
      oidc_email_unverified:
        'Votre adresse e-mail n’est pas vérifiée auprès du fournisseur d’identité. Vérifiez-la, puis réessayez.',
      oidc_not_a_member:
        'Vous n’êtes membre d’aucun espace de travail ici. Demandez à un propriétaire d’inviter votre adresse e-mail.',
      oidc_unavailable:
        'Le fournisseur d’identité ne répond pas. Réessayez plus tard, ou utilisez une clé d’accès.',
    },
  },
  choose: {
    title: 'Choisir un espace de travail',
    lead: (email) => `Vous êtes ${email}. La prochaine connexion ouvrira le même espace de travail.`,
    role: (role) => `Rôle : ${role.toLowerCase()}`,
    join: (workspace) => `Rejoindre ${workspace}`,
    linked:
      'Quelqu’un a rejoint avec votre adresse et un lien. Si vous continuez, ses sessions et clés d’accès prennent fin ici, et vous seul pouvez utiliser cette adhésion.',
  },
  invite: {
    title: 'Invitation',
    sso: 'Vous vous connectez par authentification unique, et elle seule peut accepter cette invitation.',
    withOidc: (name) => `Continuer avec ${name}`,
    heading: (workspace) => `Rejoindre ${workspace}`,
    setUp: 'Configurer kitseal',
    setUpText: 'Vous devenez propriétaire de cet espace de travail.',
    organization: 'Organisation',
    organizationHint: 'Les kits la nomment comme leur origine. Vous pourrez la changer plus tard.',
    name: 'Votre nom',
    email: 'Votre adresse e-mail',
    as: (email, role) => `${email}, rôle : ${role.toLowerCase()}`,
    label: 'Nom de la clé d’accès (facultatif)',
    labelHint: 'Pour la reconnaître plus tard.',
    labelExample: 'Portable professionnel',
    makePasskey: 'Créer une clé d’accès et se connecter',
    without: 'Se connecter une fois sans clé d’accès',
    unsupported:
      'Les clés d’accès ne sont pas disponibles ici. Elles exigent HTTPS ou localhost, et un navigateur compatible. Vous pouvez vous connecter une fois sans elles.',
    expires: 'Ce lien ne sert qu’une fois. Il expire le',
    invalid: 'Ce lien ne peut pas être utilisé',
    invalidHint:
      'Un lien d’invitation ne sert qu’une fois, et seulement jusqu’à son expiration. Demandez-en un nouveau.',
    noToken: {
      title: 'Ce lien est incomplet',
      text: 'Un lien d’invitation se termine par « # » et un long code. Ouvrez le lien complet, ou demandez-en un nouveau.',
    },
    toSignIn: 'Aller à la connexion',
  },
  account: {
    lead: (email, role) => `${email}, ${role.toLowerCase()}`,
    person: {
      title: 'Vous',
      name: 'Votre nom',
      email: 'Adresse e-mail',
      emailHint: 'Les membres la voient. Les e-mails pour vous y sont envoyés. Elle n’est pas vérifiée.',
      fixed: (email) => `Selon votre fournisseur d’identité, votre adresse est ${email}.`,
    },
    passkeys: {
      title: 'Clés d’accès',
      text: 'Une clé d’accès vous permet de vous connecter avec votre empreinte, votre visage ou un code PIN. Ajoutez-en une sur un deuxième appareil au cas où vous perdriez le premier.',
      none: 'Vous n’avez pas de clé d’accès : vous vous êtes connecté avec un lien. Ajoutez-en une maintenant, sinon il vous faudra un nouveau lien la prochaine fois.',
      label: 'Nom (facultatif)',
      add: 'Ajouter une clé d’accès',
      added: 'Ajoutée',
      used: 'dernière utilisation :',
      neverUsed: 'jamais utilisée',
      backedUp: 'synchronisée',
      remove: {
        action: 'Retirer',
        title: (label) => `Retirer « ${label} » ?`,
        text: 'Vous ne pourrez plus vous connecter avec cette clé d’accès. Les sessions ouvertes avec elle restent actives.',
      },
    },
    sessions: {
      title: 'Sessions',
      text: 'Navigateurs dans lesquels vous êtes connecté.',
      current: 'Ce navigateur',
      methods: { passkey: 'clé d’accès', link: 'lien', oidc: 'authentification unique' },
      signedIn: (method) => `Connexion (${method}) :`,
      active: 'dernière activité :',
      end: 'Déconnecter',
      endOthers: 'Déconnecter partout ailleurs',
    },
  },
  members: {
    lead: 'Les personnes qui peuvent utiliser cet espace de travail.',
    title: 'Membres',
    you: '(vous)',
    never: 'Jamais',
    passkeys: (count) => counted(count, 'clé d’accès', 'clés d’accès'),
    roleOf: (email) => `Rôle de ${email}`,
    columns: { email: 'Membre', role: 'Rôle', seen: 'Activité', actions: 'Actions' },
    remove: {
      action: 'Retirer',
      title: (email) => `Retirer ${email} ?`,
      text: 'La personne est déconnectée immédiatement. Ses soumissions restent.',
      keep: 'Garder ces clés API et systèmes de CI',
      keepHint:
        'Les autres sont révoqués, avec les clés qu’ils ont créées. Vous répondez de ceux que vous gardez.',
      key: (label) => `Clé API « ${label} »`,
      federation: (label) => `Système de CI « ${label} »`,
      end: 'Mettre fin à ces partages et demandes',
      endHint: 'Les autres restent tels quels.',
      share: (label) => `Partage de « ${label} »`,
      request: (title) => `Demande « ${title} »`,
      invitations: (emails) => `Les invitations en attente pour ${emails} sont révoquées.`,
      yourself:
        'C’est votre propre compte. Vous êtes déconnecté immédiatement et il vous faudra une nouvelle invitation pour revenir.',
    },
    invite: {
      title: 'Inviter un membre',
      email: 'Adresse e-mail',
      role: 'Rôle',
      action: 'Créer un lien d’invitation',
      made: (email) => `Lien d’invitation pour ${email}`,
      madeText:
        'Envoyez ce lien par un canal de confiance. Il n’est affiché qu’une fois, ne sert qu’une fois et expire après 7 jours.',
      what: 'lien d’invitation',
    },
    open: {
      title: 'Invitations en attente',
      none: 'Aucune invitation en attente.',
      revoke: 'Révoquer',
      columns: {
        email: 'E-mail',
        role: 'Rôle',
        by: 'Par',
        until: 'Expiration',
        actions: 'Actions',
      },
    },
  },
}
