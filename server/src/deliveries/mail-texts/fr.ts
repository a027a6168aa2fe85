import type { MailTexts, MailWords } from './mail-texts.ts'

export const fr: MailTexts = {
  invitation: {
    subject: 'Invitation à rejoindre {workspace}',
    before: ['{inviter} vous invite à rejoindre l’espace de travail {workspace}. Votre rôle : {role}.'],
    action: 'Accepter l’invitation',
    after: [
      'Le lien ne sert qu’une fois et expire le {expires}. Quiconque l’a peut l’utiliser : ne transférez donc pas cet e-mail.',
      'Si vous n’attendiez pas cette invitation, ignorez cet e-mail.',
    ],
  },
  request: {
    subject: '{workspace} demande des preuves : {title}',
    before: [
      '{workspace} vous demande des preuves : {title}.',
      '{message}',
      'Éléments : {items}.',
      'Échéance : {due}.',
    ],
    action: 'Ouvrir la demande',
    after: [
      'Vous n’avez pas besoin de compte. Quiconque a le lien peut téléverser pour vous : ne le transférez qu’aux personnes qui doivent le faire.',
    ],
  },
  reminder: {
    subject: 'Rappel : {title} {when}',
    before: [
      'Les preuves demandées par {workspace} : {title} {when}.',
      'Échéance : {due}.',
      'Éléments en attente : {open}.',
    ],
    action: 'Ouvrir la demande',
    after: [],
  },
  period: {
    subject: '{title} {when}',
    before: ['{title} de {workspace} {when}.', '{message}', 'Vos éléments : {items}.', 'Échéance : {due}.'],
    action: 'Ouvrir la période',
    after: [],
  },
  result: {
    subject: '{title} : {result}',
    before: ['{title}, pour {workspace} : {result}.', '{advice}'],
    action: 'Ouvrir',
    after: [],
  },
  share: {
    subject: '{workspace} a partagé des preuves avec vous : {title}',
    before: ['{workspace} a partagé des preuves avec vous : {title}.', '{note}', '{password}'],
    action: 'Ouvrir le partage',
    after: [
      'La page contrôle les fichiers dans votre navigateur. Vous n’avez pas besoin de compte.',
      'Le lien a été créé pour vous, et l’expéditeur voit quand il est utilisé. Il expire le {expires}. Quiconque l’a peut ouvrir le partage.',
    ],
  },
  key_revocation: {
    subject: 'Clé de signature révoquée : {kits} de vos kits sont concernés',
    before: [
      'La clé de signature {kid} a été révoquée le {revoked}. Elle a signé {kits} kits de {workspace}.',
      'Sa clé privée est peut-être en d’autres mains depuis le {since}. Les kits dont l’antériorité est démontrée restent valides.',
      'Les vérificateurs signalent désormais ces kits comme signés avec une clé révoquée. Vous pouvez les réémettre avec une nouvelle clé.',
    ],
    action: 'Afficher les kits concernés',
    after: [],
  },
  webhook_disabled: {
    subject: 'Webhook désactivé : {url}',
    before: [
      'Le webhook {url} de {workspace} échoue depuis le {since} et a été désactivé.',
      'Dernier problème : {problem}',
      'Aucun événement n’est perdu : quand le récepteur fonctionne à nouveau, activez le webhook, et il reprend là où il s’est arrêté.',
    ],
    action: 'Ouvrir l’espace de travail',
    after: [],
  },
  test: {
    subject: 'E-mail de test de {issuer}',
    before: [
      'Vous avez demandé cet e-mail en tant qu’exploitant de {issuer} et membre de {workspace}. Le service peut envoyer des e-mails.',
    ],
    action: 'Ouvrir la page du service',
    after: [],
  },
  access_reset: {
    subject: 'Votre accès à {workspace} a été réinitialisé',
    before: [
      'L’exploitant {operator} a supprimé vos clés d’accès pour l’espace de travail {workspace} et mis fin à vos sessions.',
      'Ouvrez le lien pour vous connecter et ajouter une nouvelle clé d’accès.',
    ],
    action: 'Se connecter',
    after: [
      'Le lien ne sert qu’une fois et expire le {expires}. Quiconque l’a peut l’utiliser : ne transférez donc pas cet e-mail.',
      'Si vous n’avez rien demandé, prévenez un propriétaire de l’espace de travail. Le journal d’audit nomme l’exploitant.',
    ],
  },
}

export const words: MailWords = {
  unsubscribe: 'Ne plus recevoir d’e-mails de {workspace}',
  unsubscribeText: 'Pour ne plus recevoir d’e-mails de {workspace} : {url}',
  phrases: {
    notComplete: 'n’est pas encore complet',
    overdue: 'est en retard',
    today: 'arrive à échéance aujourd’hui',
    tomorrow: 'arrive à échéance demain',
    inDays: 'arrive à échéance dans {} jours',
    open: 'est en cours',
    needsChanges: 'à corriger',
    accepted: 'accepté',
    submitted: 'soumis par le fournisseur',
    wrote: '{} a écrit dans cette salle',
    reviewerWrote: 'Un examinateur a écrit dans cette salle',
    downloadedShare: '{} a téléchargé depuis ce partage',
    downloadedRoom: '{} a téléchargé depuis cette salle',
    someoneShare: 'Quelqu’un muni du lien a téléchargé depuis ce partage',
    someoneRoom: 'Quelqu’un muni du lien a téléchargé depuis cette salle',
    nothingLeft: 'Il n’y a plus rien à faire.',
    seeComments: 'Ouvrez la demande pour voir les commentaires.',
    seePeriod: 'Ouvrez la période pour voir les commentaires.',
    acceptOrReturn: 'Acceptez les éléments, ou renvoyez-les avec un commentaire.',
    readAndAnswer: 'Ouvrez-la pour lire et répondre.',
    accessLog: 'La liste des accès contient chaque téléchargement.',
    password: 'Il vous faut aussi un mot de passe. Demandez-le à {}.',
    operator: 'L’exploitant de ce service',
    owner: 'propriétaire',
    manager: 'gestionnaire',
    member: 'membre',
    viewer: 'lecteur',
  },
}
