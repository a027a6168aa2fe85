import type { submissions as english } from '../../en/console/submissions.ts'
import { counted, files, number } from '../words.ts'

const all = (count: number): string => counted(count, 'soumission', 'soumissions')

export const submissions: typeof english = {
  list: {
    lead: 'Preuves soumises par cet espace de travail. Cette liste s’actualise toute seule.',
    new: 'Nouvelle soumission',
    search: 'Rechercher',
    searchPlaceholder: 'Nom, nom de fichier, étiquette ou ID',
    status: 'Statut',
    anyStatus: 'Tous les statuts',
    statuses: {
      PENDING: 'En attente',
      RUNNING: 'Contrôle en cours',
      PASS: 'Scellé',
      FAIL: 'À corriger',
      EXPIRED: 'Expiré',
    },
    sort: 'Trier par',
    sorts: {
      '-created_at': 'Plus récentes',
      created_at: 'Plus anciennes',
      label: 'Nom, de A à Z',
      '-label': 'Nom, de Z à A',
      '-size_bytes': 'Plus volumineuses',
      size_bytes: 'Plus petites',
    },
    moreFilters: 'Plus de filtres',
    fewerFilters: 'Moins de filtres',
    clearFilters: 'Effacer les filtres',
    filters: {
      path: 'Nom de fichier',
      pathExample: 'paie',
      tag: 'Étiquette',
      series: 'Série',
      external_id: 'ID externe',
      created_after: 'Créée à partir du',
      created_before: 'Créée avant le',
    },
    withTag: (tag) => `Afficher les soumissions avec l’étiquette ${tag}`,
    inSeries: (series) => `Série : ${series}`,
    reissued: 'Réémis',
    searchFurther: 'Chercher dans les soumissions plus anciennes',
    shown: (count) => counted(count, 'soumission affichée', 'soumissions affichées'),
    columns: {
      select: 'Sélectionner',
      label: 'Nom',
      status: 'Statut',
      files: 'Preuves',
      sender: 'Expéditeur',
      created: 'Création',
    },
    noSender: 'Fournisseur, par lien',
    selectAll: 'Sélectionner toutes les soumissions affichées',
    select: (label) => `Sélectionner ${label}`,
    bulk: {
      selected: (count) => counted(count, 'sélectionnée', 'sélectionnées'),
      download: 'Télécharger les kits',
      tag: 'Ajouter une étiquette',
      remove: 'Supprimer',
      clear: 'Effacer la sélection',
      tagTitle: (count) => `Ajouter une étiquette à ${all(count)}`,
      tagLabel: 'Étiquette',
      tagHint: '50 caractères au plus, sans virgule.',
      removeTitle: (count) => `Supprimer ${all(count)} ?`,
      removeText:
        'Les brouillons sont supprimés. Les preuves des kits sont supprimées dans l’heure ; leurs manifestes et leurs reçus restent. Cette action est irréversible.',
      failed: (count, of) =>
        `${all(count)} sur ${number(of)} ${count < 2 ? 'n’a pas pu être modifiée' : 'n’ont pas pu être modifiées'} :`,
    },
    none: {
      title: 'Pas encore de soumissions',
      text: 'Téléversez des preuves et obtenez un kit que chacun peut vérifier.',
    },
    noMatch: {
      title: 'Aucun résultat',
      text: 'Les mots sont comparés depuis leur début : « pai » trouve « paie ». Essayez avec moins de mots ou de filtres.',
    },
  },
  timeline: {
    title: 'Chronologie',
    received: (count) => counted(count, 'fichier téléversé', 'fichiers téléversés'),
    actions: {
      'submission.created': 'Création',
      'submission.changed': 'Étiquettes ou métadonnées modifiées',
      'submission.resubmitted': 'Fichiers réutilisés dans une nouvelle soumission',
      'submission.reissued': 'Kit réémis',
      'submission.sealed': 'Soumis, plus de téléversement',
      'submission.started': 'Contrôle commencé',
      'submission.passed': 'Scellé, kit émis',
      'submission.failed': 'À corriger',
      'submission.held': 'Gel juridique posé',
      'submission.released': 'Gel juridique levé',
      'submission.erased': 'Preuves supprimées sur demande',
      'submission.deleted': 'Supprimé',
      'submission.expired': 'Brouillon expiré',
    },
    by: (actor, name) => {
      if (actor === 'service') return 'par le service'
      if (actor === 'operator') return 'par l’exploitant'
      if (actor === 'link') return 'par le lien d’un partage ou d’une demande'
      if (actor === 'anonymous') return 'par un lien public'
      if (actor === 'key') return name === null ? 'avec une clé API' : `avec la clé API « ${name} »`
      return `par ${name ?? 'un membre'}`
    },
  },
  submission: {
    id: 'ID de soumission',
    missing: {
      title: 'Soumission introuvable',
      text: 'Introuvable dans cet espace de travail. Vérifiez le lien, ou passez à l’espace de travail auquel elle appartient.',
    },
    earlier: 'une soumission antérieure',
    newer: 'une nouvelle soumission',
    resubmittedFrom: 'Réutilise des fichiers de :',
    resubmittedAs: 'Soumis à nouveau dans :',
    waiting: {
      queued: {
        title: 'En file d’attente',
        text: 'Le contrôle commence bientôt. Cette page s’actualise toute seule.',
      },
      running: {
        title: 'Contrôle en cours',
        text: 'Chaque fichier est contrôlé, puis le kit est scellé et vérifié. Cette page s’actualise toute seule.',
      },
    },
    draft: {
      unfinished: {
        title: 'Téléversements inachevés',
        text: 'Pour reprendre un téléversement, choisissez à nouveau le même fichier. Supprimez ce dont vous n’avez pas besoin, puis soumettez.',
        progress: (done, size) => `${done} sur ${size} téléversés`,
        remove: 'Supprimer',
      },
      title: 'Pas encore soumis',
      text: 'Choisissez des fichiers ci-dessous, puis soumettez.',
      withFiles:
        'Les fichiers ci-dessous sont déjà téléversés. Ajoutez les fichiers manquants ou corrigés, puis soumettez. Le profil est contrôlé après le téléversement.',
      there: (count) => counted(count, 'fichier déjà téléversé', 'fichiers déjà téléversés'),
      delete: {
        action: 'Supprimer le brouillon',
        title: 'Supprimer ce brouillon ?',
        text: 'Les fichiers téléversés sont supprimés. Cette action est irréversible.',
      },
    },
    fail: {
      word: 'À corriger',
      sentence: (blockers) => `Résultat : ${blockers}. Aucun kit n’a été émis.`,
      report: 'fail_report.json',
      fixTitle: 'Fichiers à garder',
      fixText:
        'Sélectionnez les fichiers à garder. Ils sont copiés dans une nouvelle soumission, où vous pouvez ajouter les fichiers corrigés.',
      good: 'aucun point bloquant',
      bad: 'avec point bloquant',
      notListed: 'aucun point bloquant listé',
      fix: 'Corriger et soumettre à nouveau',
      keeps: (kept, count) =>
        `Garde ${files(kept)} sur ${number(count)}. Vous ajoutez ensuite les fichiers corrigés.`,
    },
    kit: {
      unpacked: (uploaded, count) =>
        `${counted(uploaded, 'fichier téléversé', 'fichiers téléversés')}, ${files(count)} dans le kit : les archives ZIP sont décompressées.`,
      expiredWord: 'Expiré',
      sentence: 'Le kit a été émis. Chacun peut le vérifier, avec ou sans ce service.',
      expired:
        'Les preuves ont été supprimées. Le manifeste et le reçu restent. Les copies du kit peuvent toujours être vérifiées.',
      downloadKit: 'Télécharger kit.zip',
      verify: 'Vérifier dans ce navigateur',
      verifyText: 'Télécharger le kit et le vérifier ici avec les clés publiées.',
      notFetched: (status) => `Le kit n’a pas pu être téléchargé (HTTP ${status}). Réessayez.`,
      parts: 'Parties du kit',
      tabs: {
        evidence: 'Preuves',
        binder: 'Classeur',
        deliverables: 'Téléchargements',
        details: 'Détails',
      },
      allFiles: 'Tous les fichiers du kit',
      issued: 'Émis :',
      facts: {
        kit: 'ID du kit',
        supplier: 'Fournisseur (nommé dans le kit)',
        supplierByLink: 'Fournisseur',
        requester: 'Demandeur (nommé dans le kit)',
        issued: 'Émis',
        key: 'ID de clé',
        manifest: 'SHA-256 du manifeste',
        root: 'Hachage racine',
        receipt: 'SHA-256 du reçu',
        zip: 'SHA-256 de kit.zip',
        size: 'Taille',
        sizeValue: (count, size) => `${size}, ${files(count)}, y compris ceux ajoutés par le service`,
        page: 'Page de vérification',
      },
      log: {
        place: 'Dans le journal',
        position: (index, origin, size) => `Entrée ${number(index + 1)} sur ${number(size)} dans ${origin}`,
        proof: 'Télécharger la dernière preuve du journal',
        witnesses: 'Témoins',
        cosigned: (name, at) => `${name}, ${at}`,
        none: 'Aucun témoin ne l’a encore confirmé',
      },
      binderHint: 'Le classeur est un PDF à lire et à imprimer.',
      binderAlone: 'Ouvrir dans un nouvel onglet',
      deliverables: {
        'kit.zip': 'Le kit complet : preuves, documents et vérificateur',
        'manifest.json': 'Liste de tous les fichiers avec leurs hachages',
        'receipt.json': 'Reçu signé',
        'receipt.canonical.json': 'Les octets exacts qui ont été signés',
        'receipt.sig': 'Signature Ed25519, 64 octets',
        'jwks.json':
          'Copie des clés publiques, par commodité. Obtenez les clés de confiance auprès de l’émetteur.',
        'binder.pdf': 'Classeur, à lire et à imprimer',
        'VERIFY.md': 'Comment vérifier le kit',
        'reports/intake_report.json': 'Ce qui a été téléversé, et le résultat des contrôles',
        'reports/classification_report.json': 'Le type de chaque fichier',
        'reports/provenance.json': 'La provenance des preuves, vérifiée et déclarée',
        'reports/reissue.json': 'Le kit que celui-ci remplace, et pourquoi',
        'reports/program.json': 'Les éléments de la période, leurs statuts et leurs fichiers',
        'reports/series.json': 'Le kit précédent de la série, et les différences',
      },
    },
  },
  inventory: {
    path: 'Fichier',
    sha256: 'SHA-256',
    size: 'Taille',
    hashOf: (name) => `SHA-256 de ${name}`,
    kinds: {
      evidence: 'Preuves',
      binder: 'Classeur',
      report: 'Rapports',
      guide: 'Guide de vérification',
      verifier: 'Vérificateur',
      bag: 'Fichiers BagIt',
      envelope: 'Enveloppe (manifeste, reçu, signature, clés)',
    },
  },
}
