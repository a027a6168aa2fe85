import type { KitTexts } from './en.ts'

export const fr: KitTexts = {
  boundary:
    'Preuve d’intégrité et d’émission uniquement. Ni audit, ni certification, ni garantie de conformité.',
  verdicts: {
    verified: { heading: 'Vérifié', advice: 'Les fichiers sont inchangés, et le reçu est signé avec KEY.' },
    sender_unconfirmed: {
      heading: 'Fichiers intacts. Expéditeur pas encore confirmé.',
      advice:
        'N’importe qui peut créer un kit qui nomme cet émetteur. Obtenez le jeu de clés sur un site que vous savez être celui de l’émetteur, ou comparez l’ID de clé à celui que vous avez reçu par un autre canal.',
    },
    signer_unknown: {
      heading: 'Non signé par l’émetteur qu’il nomme',
      advice:
        'L’émetteur a peut-être une nouvelle clé, ou quelqu’un d’autre a créé ce kit. Comparez les clés de l’émetteur, à une adresse que vous connaissez déjà : kitseal trust add ISSUER',
    },
    key_revoked: {
      heading: 'Clé de signature révoquée le DATE',
      advice: 'Ne vous y fiez pas. Demandez au fournisseur un kit réémis, signé avec une clé actuelle.',
    },
    altered: {
      heading: 'Altéré depuis son émission',
      advice: 'Ne vous y fiez pas. Demandez l’original à l’émetteur.',
    },
    unreadable: {
      heading: 'Pas un kit lisible',
      advice: 'Vérifiez que vous avez le fichier complet, puis demandez à l’expéditeur de le renvoyer.',
    },
  },
  keyRevoked: 'Clé de signature révoquée',
  notLogged:
    'La signature est celle de l’émetteur, mais la preuve du journal ou sa date ne satisfait pas votre politique. Demandez à l’émetteur une preuve du journal plus récente, et s’il a émis ce kit.',
  keys: {
    kit: 'la clé du kit lui-même, si bien que n’importe qui a pu le créer',
    none: 'une clé qui n’est pas confirmée',
    given: 'la clé que vous avez fournie',
    pinned: 'la clé que vous avez épinglée',
    pinnedOn: 'la clé que vous avez épinglée le {day}',
    notCompared: 'la clé que {host} publie aujourd’hui ; jamais comparée auparavant',
    confirmed: 'la clé que {host} publie aujourd’hui ; vous l’avez confirmée le {day}',
    firstUse:
      'la clé que {host} publie aujourd’hui ; la même que lors de votre première utilisation le {day}',
    site: 'la clé que ce site, {host}, publie',
  },
  names: {
    named: 'nommé dans le kit',
    operator: 'confirmé par l’exploitant de {host}',
    own: 'tel que l’espace de travail se nomme',
  },
  anonymous: 'Appelant anonyme. Le nom est le texte de l’appelant lui-même. Aucun fichier n’a été fourni.',
  byLink: 'Quelqu’un muni du lien d’une demande (non vérifié)',
  checks: {
    kit_reads_in_one_way: 'L’archive est bien formée et sans ambiguïté',
    files_match_manifest: 'Chaque fichier du manifeste est présent et inchangé',
    nothing_was_added: 'Le kit ne contient aucun fichier absent du manifeste',
    manifest_matches_receipt: 'Le manifeste correspond au reçu',
    receipt_is_whole: 'Le reçu est bien formé et correspond à son propre hachage',
    envelope_agrees: 'Les fichiers du reçu, de la signature et du jeu de clés concordent',
    key_id_matches_public_key: 'L’ID de clé du reçu correspond à une clé publique',
    key_was_alive: 'La clé de signature était active quand le reçu a été émis',
    signature_verifies: 'La signature Ed25519 du reçu est valide',
    signer_is_trusted: 'La clé de signature est connue hors du kit',
    receipt_is_logged: 'Le reçu est dans un journal dont la clé est connue hors du kit',
    log_is_witnessed: 'Le journal et ses témoins satisfont votre politique',
    time_is_confirmed: 'Des témoins ou un horodatage confirment la date du reçu',
    file_matches_proof: 'Le fichier appartient au kit pour lequel le reçu a été émis',
  },
  provenance: {
    headings: {
      verified: 'Vérifié par {host}',
      unconfirmed: 'Indiqué dans le kit, non confirmé',
      supplier: 'Déclaré par le fournisseur, non vérifié',
      files: 'Déclaré par les fichiers, non vérifié',
    },
    allFiles: 'Tous les fichiers',
    andMore: '{first} et {more} autres',
    ciRun: 'exécution de CI',
    ciRunOf: 'exécution de CI de {repository}',
    workflow: 'workflow {name}',
    run: 'exécution {run}',
    attempt: 'exécution {run}, tentative {attempt}',
    commit: 'commit {commit}',
    token: 'jeton de {issuer}',
    uploaded: 'téléversé {time}',
    routes: { browser: 'dans le navigateur', api: 'par l’API', request_link: 'par le lien d’une demande' },
    resumable: '{route} (avec reprise)',
    key: 'clé {name}',
    member: 'membre {id}',
    link: 'lien {id}',
    byService: 'écrit par le service {time}',
    confirmedAddress: 'envoyé par {address}, adresse confirmée {time}',
    sentBy: 'envoyé par {name}',
    uploadedWith: 'téléversé avec {program}',
    collectedWith: 'collecté avec {program}',
    command: 'commande {command}',
    collected: 'collecté {time}',
    period: 'période du {from} au {to}',
    system: 'système {system}',
    query: 'requête {query}',
  },
}
