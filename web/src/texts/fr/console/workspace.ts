import type { workspace as english } from '../../en/console/workspace.ts'
import { counted, files, number } from '../words.ts'

export const workspace: typeof english = {
  keys: {
    lead: 'Pour les applications qui soumettent des preuves et téléchargent des kits.',
    create: 'Créer une clé API',
    label: 'Nom',
    labelHint: 'Par exemple, le système qui utilise la clé.',
    scopes: 'Portées',
    scopeNames: {
      submit: 'submit : créer des soumissions et téléverser des preuves',
      read: 'read : voir les soumissions, les crédits et le journal d’audit, télécharger des kits',
      requests: 'requests : demander des preuves à d’autres',
      shares: 'shares : partager des kits avec d’autres',
      admin: 'admin : clés API, gels juridiques, suppression, réémission',
    },
    life: 'Expiration',
    lives: { '': 'Jamais', '30': 'Après 30 jours', '90': 'Après 90 jours', '365': 'Après 1 an' },
    neverUsed: 'Jamais',
    none: {
      title: 'Pas encore de clés API',
      text: 'Créez-en une pour chaque application qui soumet des preuves.',
    },
    columns: {
      label: 'Nom',
      scopes: 'Portées',
      status: 'Statut',
      used: 'Utilisation',
      actions: 'Actions',
    },
    created: 'Créée',
    by: (name) => `par ${name}`,
    statuses: {
      active: 'Active',
      ending: 'Active jusqu’au',
      expired: 'Expirée',
      revoked: 'Révoquée',
    },
    secret: {
      title: (label) => `Nouvelle clé API « ${label} »`,
      text: 'Copiez la clé maintenant et conservez-la en lieu sûr. Elle ne sera plus affichée.',
      what: 'clé API',
    },
    rotate: {
      action: 'Renouveler',
      title: (label) => `Renouveler « ${label} »`,
      text: 'Crée une nouvelle clé avec les mêmes portées et la même durée. L’ancienne fonctionne encore un temps, pour que vous puissiez mettre à jour vos applications.',
      grace: 'Expiration de l’ancienne clé',
    },
    extend: {
      action: 'Prolonger',
      title: (label) => `Prolonger « ${label} »`,
      text: 'La clé expire au moment que vous choisissez. Si une autre clé l’a créée, elle ne prend plus fin avec celle-ci.',
    },
    revoke: {
      action: 'Révoquer',
      title: (label) => `Révoquer « ${label} » ?`,
      text: 'La clé cesse de fonctionner immédiatement, avec toutes les clés et fédérations qu’elle a créées. Cette action est irréversible.',
    },
  },
  settings: {
    lead: 'Nom de l’espace de travail, visibilité des kits et forfait.',
    workspace: 'Visibilité',
    name: {
      title: 'Nom',
      current: 'Nom actuel',
      hint: 'Les kits nomment cet espace de travail comme fournisseur des preuves, ou comme demandeur si les fichiers sont arrivés par le lien d’une demande. Les kits émis gardent le nom avec lequel ils ont été émis.',
      namedBy: {
        service: 'pas encore nommé',
        workspace: 'tel que l’espace de travail se nomme',
        operator: 'confirmé par l’exploitant',
      },
      change: 'Nouveau nom',
      save: 'Enregistrer le nom',
      unconfirms:
        'L’exploitant n’a pas confirmé le nouveau nom. Les kits l’indiquent tant qu’il ne l’a pas fait.',
    },
    language: {
      label: 'Langue des classeurs et des e-mails',
      hint: 'Les pages s’affichent dans la langue de chaque lecteur.',
    },
    publicKits: {
      label: 'Accès public',
      hint: 'Ce que toute personne munie d’un lien peut obtenir sans se connecter, par exemple avec le code QR du classeur. Les membres et les clés API de cet espace de travail peuvent toujours tout obtenir. Un kit téléchargé peut être vérifié dans tous les cas.',
      choices: {
        receipts: {
          label: 'Reçus seulement',
          description:
            'Toute personne munie du lien peut obtenir le reçu et le vérifier. Les fichiers de preuve restent privés.',
        },
        all: {
          label: 'Reçus et kits',
          description: 'Toute personne munie du lien peut télécharger tous les fichiers de preuve.',
        },
        none: {
          label: 'Rien',
          description: 'Les liens répondent « introuvable » si vous n’êtes pas connecté.',
        },
      },
    },
    pins: {
      title: 'Émetteurs épinglés',
      hint: 'Les kits qui figurent parmi vos preuves sont vérifiés avec les clés de ce service et avec ces clés.',
      none: 'Aucun émetteur n’est épinglé.',
      issuer: 'Émetteur',
      issuerHint: 'L’adresse dans ses reçus, par exemple https://issuer.example',
      kid: 'ID de clé',
      kidHint: 'Obtenez-le auprès de l’émetteur, pas dans le kit.',
      add: 'Épingler la clé',
      remove: 'Retirer',
      removeLabel: (issuer) => `Retirer la clé de ${issuer}`,
    },
    save: 'Enregistrer',
    saved: 'Enregistré.',
    plan: 'Forfait',
    planHint: 'L’exploitant de ce service fixe le forfait et ses limites.',
    facts: {
      id: 'ID de l’espace de travail',
      issuer: 'Émetteur',
      plan: 'Forfait',
      upload: 'Limite par téléversement',
      unpacked: 'Limite une fois décompressé',
      unpackedValue: (bytes, count) => `${bytes}, ${files(count)}`,
      retention: 'Conservation',
      forever: 'Illimitée',
      days: (days) => counted(days, 'jour', 'jours'),
      rate: 'Limite de débit',
      storage: 'Limite de stockage',
      mails: 'Limite d’e-mails',
      mailsValue: (count) => `${number(count)} par jour à des personnes extérieures à l’espace de travail`,
      policy: 'Preuves',
      policyOpen: 'Tous les types de fichiers',
      policyExamined: 'Seulement les fichiers qui sont analysés',
      rateValue: (count) => `${counted(count, 'appel', 'appels')} API par minute`,
    },
  },
}
