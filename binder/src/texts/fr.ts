import type { BinderTexts } from './en.ts'

export const fr: BinderTexts = {
  title: 'Classeur de preuves : {name}',
  header: 'Classeur de preuves',
  subject: 'Kit {kitId}.',
  cover: 'Couverture',
  kicker: 'CLASSEUR DE PREUVES',
  introduction:
    'Ce classeur est le résumé lisible d’un kit scellé : ce qu’il contient, qui l’a émis et quand, et comment le vérifier. La preuve est dans le kit lui-même. Chacun peut le vérifier hors ligne, sans contacter l’émetteur.',
  contents: 'Sommaire',
  page: 'page {page}',
  files: { one: '{count} fichier', other: '{count} fichiers' },
  fewBytes: { one: '{count} octet', other: '{count} octets' },
  bytes: '{size} ({count} octets)',
  more: 'et {count} de plus',
  facts: {
    kit: 'Kit',
    job: 'Tâche',
    issued: 'Émis',
    issuer: 'Émetteur',
    key: 'Empreinte de la clé',
    caller: 'Appelant',
    supplierNamed: 'Fournisseur (nommé dans le kit)',
    supplier: 'Fournisseur',
    requester: 'Demandeur (nommé dans le kit)',
    workspace: 'Espace de travail',
    name: 'Nom',
    profile: 'Profil',
    replaces: 'Remplace le kit',
    evidence: 'Preuves',
    format: 'Format',
  },
  meaning: {
    title: 'Ce que cela prouve, et ce que cela ne prouve pas',
    proves: 'Un kit dont la vérification réussit prouve',
    proved: [
      'Les fichiers correspondent au manifeste : chaque fichier a le hachage SHA-256 et la taille indiqués, et aucun fichier n’a été ajouté.',
      'Le manifeste correspond au reçu.',
      'L’ID de clé du reçu correspond à une clé publique à laquelle vous avez choisi de faire confiance.',
      'La signature du reçu est valide avec cette clé.',
      'Le kit n’a pas été modifié depuis son émission.',
    ],
    provesNot: 'Il ne prouve pas',
    notProved: [
      'Qu’une entreprise est conforme, ni qu’elle est sûre.',
      'Que des mesures de contrôle sont efficaces.',
      'Qu’un acheteur, un auditeur, un assureur, une banque, une autorité ou un prestataire de paiement a accepté le dossier.',
      'Que les preuves sont juridiquement suffisantes, ni que ce qu’elles disent est vrai.',
    ],
    limits: 'Les limites de ce service, en entier',
    boundary:
      'Ce service enregistre des preuves fournies et permet à chacun de contrôler qu’un kit est bien ce qui a été émis, par qui et quand. Une vérification réussie prouve que les fichiers correspondent au manifeste, que le manifeste correspond au reçu, que l’ID de clé du reçu correspond à une clé publique, que la signature du reçu est valide, et que le kit n’a pas été modifié depuis son émission. Elle ne prouve ni la conformité ni la sécurité d’une entreprise, ni que des mesures de contrôle sont efficaces, ni qu’un acheteur, un auditeur, un assureur, une banque, une autorité ou un prestataire de paiement a accepté le dossier, ni que les preuves sont juridiquement suffisantes. Le service ne certifie pas, n’audite pas, ne donne pas d’approbation juridique, n’assure pas et ne vérifie pas de façon indépendante les déclarations fournies. Le client reste responsable des preuves soumises.',
  },
  verify: {
    title: 'Comment vérifier',
    lead: 'Toutes les méthodes donnent le même résultat, PASS ou FAIL. Il vous faut le kit : le fichier kit.zip, ou le dossier obtenu en le décompressant.',
    browser: 'Dans un navigateur',
    browserText:
      'Ouvrez START-HERE.html dans le kit et déposez le kit sur la page. Cela fonctionne hors ligne, et rien ne quitte votre ordinateur. L’émetteur peut vérifier ce kit avec ses propres clés. Assurez-vous que cette adresse est celle que vous connaissez :',
    qrCode: 'Code QR de {address}',
    command: 'En ligne de commande',
    commandText:
      'Remplacez ISSUER par l’adresse de l’émetteur, telle que vous la connaissez. Le code de sortie 0 signifie PASS, 1 signifie FAIL, 2 que le kit n’a pas pu être lu, 3 que l’expéditeur n’est pas confirmé.',
    byHand: 'À la main',
    byHandText:
      'VERIFY.md dans le kit donne chaque étape sous forme de commande, avec des outils standard seulement : sha256sum pour les fichiers et openssl pour la signature. La première étape contrôle chaque fichier :',
    key: 'Confirmer la clé de l’émetteur',
    keyText:
      'La vérification montre que le détenteur d’une certaine clé a émis ce kit. Pour confirmer que la clé appartient à l’émetteur, comparez une fois son empreinte à celle que vous avez reçue directement de l’émetteur, ou au jeu de clés qu’il publie à /.well-known/jwks.json. La clé du kit et l’empreinte ci-dessous n’en sont pas la preuve.',
  },
  inventory: {
    title: 'Inventaire',
    folders: { one: '{files} dans {count} dossier', other: '{files} dans {count} dossiers' },
    lead: '{count}, {size}. Le hachage SHA-256 complet figure sous chaque nom, en nuances alternées pour la lisibilité. Dans le kit, manifest.json liste les mêmes fichiers, et ceux que le service a ajoutés.',
    shortened: 'Les noms longs sont abrégés ici. manifest.json les donne en entier.',
    columns: { number: 'N°', name: 'Nom', type: 'Type', size: 'Taille' },
    topFolder: '(dossier racine)',
    continued: '{folder} (suite)',
    missing:
      'Une case contenant des chiffres représente un caractère absent des polices de ce classeur. Les chiffres sont son point de code Unicode. manifest.json donne chaque nom en entier.',
  },
  provenance: {
    title: 'Provenance des preuves',
    lead: 'N’est vérifié que ce que le service a vu lui-même. Ce que le fournisseur ou un fichier déclare a été enregistré, et personne ne l’a contrôlé. Dans le kit, reports/provenance.json contient tout.',
    words: { verified: 'vérifié', stated: 'déclaré' },
  },
  checklist: {
    title: 'Liste de contrôle',
    lead: 'Les éléments demandés, et les fichiers que des personnes y ont placés ou confirmés. Le service ne juge rien.',
    item: 'Élément',
    files: 'Fichiers',
    none: 'Aucun fichier',
  },
  findings: {
    title: 'Constats',
    lead: {
      one: 'Le service a relevé {count} point sur les fichiers. Il n’a pas empêché l’émission du kit. Dans le kit, reports/intake_report.json liste tout.',
      other:
        'Le service a relevé {count} points sur les fichiers. Aucun n’a empêché l’émission du kit. Dans le kit, reports/intake_report.json liste tout.',
    },
    acknowledged: 'Le fournisseur en a pris acte',
    notices: 'Remarques',
    allFiles: 'Tous les fichiers',
  },
}
