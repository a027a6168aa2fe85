import type { pages as english } from '../en/pages.ts'
import { number } from './words.ts'

export const pages: typeof english = {
  frame: {
    name: 'kitseal',
    home: 'Page d’accueil de kitseal',
    skip: 'Aller au contenu',
    navigation: 'Menu principal',
    verify: 'Vérifier',
    docs: 'Docs',
    console: 'Console',
    language: 'Langue',
    documentTitle: (title) => (title === '' ? 'kitseal' : `${title} · kitseal`),
  },
  copy: {
    copyWhat: (what) => `Copier : ${what}`,
    copied: 'Copié',
    failed: 'Le navigateur a bloqué la copie. Sélectionnez le texte et copiez-le vous-même.',
  },
  problem: {
    offline: 'Le service est injoignable. Vérifiez votre connexion et réessayez.',
    unexpected: 'Réponse inattendue du service. Rechargez la page et réessayez.',
    retry: 'Réessayer',
    title: 'Un problème est survenu',
    crashed: 'Cette page a planté. Rechargez-la pour continuer. Les fichiers téléversés ne sont pas perdus.',
    reload: 'Recharger',
  },
  colon: ' : ',
  loading: 'Chargement',
  showAll: (count) => `Tout afficher (${number(count)})`,
  home: {
    title: '',
    heading: 'Des kits de preuves qui révèlent les altérations',
    lead: 'Téléversez des preuves et obtenez un kit signé. Chacun peut le vérifier : dans un navigateur, en ligne de commande ou à la main, avec ou sans ce service.',
    verifyAction: 'Vérifier un kit',
    consoleAction: 'Ouvrir la console',
    steps: [
      {
        title: 'Téléversez des preuves',
        text: 'Des fichiers, des dossiers ou une archive ZIP. Chaque fichier est contrôlé. Les problèmes sont listés ensemble, chacun avec la façon de le corriger.',
      },
      {
        title: 'Obtenez un kit',
        text: 'Vos fichiers avec leurs hachages, un manifeste, un reçu signé avec Ed25519, un classeur à lire et à imprimer, et un vérificateur hors ligne.',
      },
      {
        title: 'Chacun peut le vérifier',
        text: 'Si un octet change, si un fichier est ajouté ou retiré, ou si la clé n’est pas la nôtre, la vérification échoue et dit pourquoi.',
      },
    ],
    proves: 'Ce que « Vérifié » prouve',
    provesList: [
      'Les fichiers correspondent au manifeste, octet par octet.',
      'Le manifeste correspond au reçu.',
      'Le reçu désigne une clé publique de ce service.',
      'La signature du reçu est valide.',
      'Le kit n’a donc pas changé depuis son émission.',
    ],
    provesNot: 'Ce que « Vérifié » ne prouve pas',
    provesNotList: [
      'Qu’une organisation est conforme ou sûre.',
      'Que des mesures de contrôle sont efficaces.',
      'Qu’un acheteur, un auditeur, un assureur, une banque ou une autorité a accepté les preuves.',
      'Que les preuves sont vraies ou suffisantes. Le fournisseur est responsable de leur contenu.',
    ],
    keys: {
      title: 'Clés de signature de ce service',
      lead: 'Un ID de clé est l’empreinte d’une clé. Avant de vous y fier, comparez-le à celui que l’émetteur vous a donné par un autre canal.',
      kid: 'ID de clé',
      since: 'Depuis',
      status: 'Statut',
      issuer: 'Émetteur',
      statuses: {
        active: 'Active',
        retired: (until) => `Retirée le ${until}. Ses reçus restent valides.`,
        revoked: (heading) =>
          `${heading}. Les kits signés avec elle ne peuvent plus être vérifiés. Demandez au fournisseur des kits réémis.`,
      },
      unavailable: 'Les clés n’ont pas pu être chargées.',
      none: 'Ce service n’a pas encore de clé de signature.',
      file: 'Jeu de clés (jwks.json)',
    },
    offline: {
      title: 'Vérifier en ligne de commande',
      text: 'Les mêmes contrôles, avec les clés de ce service :',
      command: (origin) => `kitseal verify kit.zip --issuer ${origin}`,
      more: 'Chaque kit contient aussi START-HERE.html, qui le vérifie hors ligne dans un navigateur, et VERIFY.md, qui explique comment le vérifier avec sha256sum et openssl.',
      what: 'commande',
    },
    links: {
      title: 'Pour les développeurs',
      docs: 'Documentation',
      openapi: 'Description OpenAPI (openapi.json)',
      log: 'Journal de transparence',
    },
  },
  notFound: {
    title: 'Page introuvable',
    text: 'Il n’y a pas de page à cette adresse.',
    action: 'Aller à l’accueil',
  },
}
