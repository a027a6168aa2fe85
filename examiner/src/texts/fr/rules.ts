import type { Rules } from '../evidence-texts.ts'

const NOTHING = 'Rien à faire.'
const SAVE_AGAIN = 'Ouvrez le fichier, enregistrez-le à nouveau et téléversez le nouveau.'
const NO_PASSWORD = 'Enregistrez le fichier sans mot de passe.'
const SPLIT = 'Répartissez-la en plusieurs soumissions.'

export const rules: Rules = {
  empty_submission: {
    message: 'La soumission ne contient aucun fichier.',
    remedy: 'Téléversez au moins un fichier.',
  },
  empty_file: {
    message: 'Le fichier est vide, ce qui est impossible pour ce type de fichier.',
    remedy: 'Téléversez le fichier avec son contenu, ou laissez-le de côté.',
  },
  empty_text: {
    message: 'Le fichier est vide.',
    remedy: 'Rien à faire s’il doit être vide, comme la sortie d’un outil d’analyse qui n’a rien trouvé.',
  },
  empty_archive: {
    message: 'L’archive ne contient aucun fichier.',
    remedy: 'Téléversez au moins un fichier.',
  },
  unsupported_type: {
    message: 'Les fichiers de ce type sont acceptés, mais pas analysés.',
    remedy:
      'Rien à faire. Si les examinateurs risquent de ne pas pouvoir l’ouvrir, ajoutez un export en PDF ou en texte.',
  },
  partly_examined: {
    message: 'Le fichier n’a pas été analysé entièrement.',
    remedy: 'Rien à faire. Divisez le fichier si tout doit être analysé.',
  },
  not_examined_in_time: {
    message: 'L’analyse du fichier demande plus de travail que permis.',
    remedy: 'Laissez le fichier de côté, ou envoyez son contenu sous une autre forme.',
  },
  type_mismatch: {
    message: 'Le contenu ne correspond pas à l’extension du nom de fichier.',
    remedy:
      'Assurez-vous que c’est le bon fichier. Si possible, changez l’extension pour qu’elle corresponde au contenu.',
  },
  control_characters: {
    message: 'Le texte contient des caractères NUL ou d’autres caractères de contrôle.',
    remedy: 'Rien à faire. Certains logiciels peuvent ne pas tout afficher.',
  },
  executable_content: {
    message: 'Le fichier est un programme, en contient un, ou en porte l’extension.',
    remedy:
      'Retirez les programmes. Pour prouver qu’il en existe un, téléversez son hachage dans un fichier texte.',
  },
  script_content: {
    message: 'Le fichier est un script ou du code source.',
    remedy: 'Rien à faire. Les examinateurs ne devraient pas l’exécuter.',
  },
  macros: {
    message: 'Le fichier Office contient des macros.',
    remedy: 'Enregistrez-le sans macros (DOCX, XLSX, PPTX, ODT ou ODS) ou en PDF.',
  },
  encrypted_archive: {
    message: 'Ce fichier de l’archive est chiffré.',
    remedy: 'Recréez l’archive sans mot de passe.',
  },
  encrypted_pdf: { message: 'Le PDF exige un mot de passe.', remedy: NO_PASSWORD },
  encrypted_office: {
    message: 'Le fichier Office est protégé par un mot de passe.',
    remedy: NO_PASSWORD,
  },
  unreadable_archive: {
    message:
      'L’archive est endommagée ou ambiguë : différents logiciels pourraient y lire des contenus différents.',
    remedy: 'Recréez l’archive avec une version récente d’un outil courant.',
  },
  irregular_archive: {
    message: 'L’archive n’est pas bien formée, mais les logiciels courants y lisent les mêmes fichiers.',
    remedy:
      'Recréez l’archive. Ce que les logiciels y ignorent n’est pas analysé et ne fait pas partie du kit.',
  },
  archive_method: {
    message: 'L’archive utilise une méthode de compression peu répandue.',
    remedy: 'Recréez l’archive avec deflate, la méthode par défaut de la plupart des outils.',
  },
  name_traversal: {
    message: 'Le nom contient « .. » et pointe hors de son dossier.',
    remedy: 'Créez l’archive depuis l’intérieur du dossier.',
  },
  name_absolute: {
    message: 'Le nom est un chemin absolu.',
    remedy: 'Créez l’archive avec des chemins relatifs.',
  },
  name_backslash: {
    message:
      'Le nom contient une barre oblique inverse, qui ne sépare les dossiers que sous Windows et les sépare aussi dans le kit.',
    remedy:
      'Recréez l’archive avec « / » entre les dossiers. L’Explorateur Windows, 7-Zip et PowerShell 7 le font ; les versions anciennes de Compress-Archive et de .NET ne le font pas.',
  },
  name_not_unicode: {
    message: 'L’encodage du nom est inconnu.',
    remedy:
      'Recréez l’archive avec un outil qui écrit les noms en UTF-8, ou n’utilisez que des caractères ASCII.',
  },
  name_decoded: {
    message:
      'Le nom dans l’archive n’est pas marqué comme UTF-8 ; il a été décodé, et des logiciels peuvent en afficher un autre.',
    remedy:
      'Assurez-vous que le nom est juste. Les versions récentes des outils courants écrivent les noms en UTF-8.',
  },
  name_changed: {
    message:
      'Une partie du nom se termine par un point ou une espace, omis dans le kit comme le fait Windows.',
    remedy: NOTHING,
  },
  name_unportable: {
    message: 'Le nom contient des caractères que Windows ne peut pas enregistrer.',
    remedy:
      'Rien à faire. Sous Windows, les examinateurs peuvent avoir besoin d’un logiciel qui les remplace.',
  },
  name_forbidden: {
    message: 'Le nom n’est pas valide sur tous les systèmes d’exploitation.',
    remedy:
      'Renommez-le : pas de caractères de contrôle, pas de noms réservés par Windows, aucune partie faite seulement de points et d’espaces, au plus 255 octets par partie et 1 024 au total.',
  },
  name_direction: {
    message:
      'Le nom contient des caractères invisibles qui changent le sens du texte et peuvent le déguiser.',
    remedy: 'Saisissez à nouveau le nom sans eux.',
  },
  name_collision: {
    message:
      'Un autre fichier porte le même nom, ou un nom que certains systèmes d’exploitation traitent comme identique.',
    remedy: 'Renommez l’un des deux.',
  },
  link: {
    message: 'L’entrée est un lien, pas un fichier.',
    remedy: 'Mettez plutôt dans l’archive le fichier vers lequel il pointe.',
  },
  special_file: {
    message: 'L’entrée n’est ni un fichier ni un dossier.',
    remedy: 'Laissez-la de côté.',
  },
  too_many_entries: { message: 'La soumission contient trop de fichiers.', remedy: SPLIT },
  too_large_unpacked: {
    message: 'La soumission est trop volumineuse une fois décompressée.',
    remedy: SPLIT,
  },
  archive_ratio: {
    message: 'L’archive, une fois décompressée, dépasse de loin sa taille, comme une bombe de décompression.',
    remedy: 'Téléversez les fichiers décompressés, ou laissez-les de côté.',
  },
  nested_too_deep: {
    message: 'Des archives ou des documents sont imbriqués trop profondément.',
    remedy: 'Décompressez ceux de l’intérieur.',
  },
  xml_entities: {
    message:
      'Le XML déclare ses propres entités, que les logiciels ne développent pas tous de la même façon.',
    remedy: 'Exportez-le sans déclarations d’entités.',
  },
  malformed_pdf: { message: 'Le PDF est endommagé ou tronqué.', remedy: SAVE_AGAIN },
  malformed_office: { message: 'Le fichier Office est endommagé.', remedy: SAVE_AGAIN },
  malformed_gzip: {
    message: 'Le fichier gzip est endommagé, son contenu n’a donc pas été analysé.',
    remedy: 'Compressez-le à nouveau, ou téléversez-le décompressé.',
  },
  malformed_image: {
    message: 'L’image est endommagée ou tronquée.',
    remedy: 'Exportez l’image à nouveau.',
  },
  active_content: {
    message: 'Le fichier contient des scripts, des liens ou des objets qui agissent à l’ouverture.',
    remedy:
      'Rien à faire. Les examinateurs ne devraient pas l’ouvrir dans un navigateur ni l’autoriser à exécuter quoi que ce soit.',
  },
  appended_content: {
    message: 'Un autre fichier est ajouté à la fin de celui-ci, et certains logiciels ouvrent cet autre.',
    remedy: 'Enregistrez à nouveau le fichier sans lui, et téléversez l’autre séparément.',
  },
  private_key: {
    message: 'Le fichier contient une clé privée.',
    remedy: 'Retirez-la. Si elle a déjà été envoyée à quelqu’un, remplacez la clé.',
  },
  possible_secret: {
    message: 'Le fichier contient peut-être un secret.',
    remedy:
      'Regardez-le. Si c’est un vrai secret, retirez-le du fichier, et révoquez-le s’il a été envoyé à quelqu’un. Sinon, prenez-en acte.',
  },
  kit_verified: { message: 'C’est un kit, et il a été vérifié.', remedy: NOTHING },
  kit_unconfirmed: {
    message: 'C’est un kit aux fichiers intacts, mais dont l’émetteur n’est pas connu ici.',
    remedy: 'Rien à faire. Pour qu’il soit vérifié, épinglez les clés de son émetteur.',
  },
  kit_altered: {
    message: 'C’est un kit qui a été altéré depuis son émission.',
    remedy: 'Demandez l’original à son émetteur.',
  },
  kit_forged: {
    message: 'C’est un kit qui n’a pas été signé par l’émetteur qu’il nomme.',
    remedy: 'Demandez à l’émetteur, à une adresse que vous connaissez déjà, s’il a émis ce kit.',
  },
  kit_key_revoked: {
    message: 'C’est un kit dont la clé de signature a été révoquée.',
    remedy: 'Demandez un kit réémis à son fournisseur.',
  },
  test_virus: {
    message: 'Le fichier contient la chaîne de test antivirus EICAR.',
    remedy: 'Laissez-le de côté.',
  },
  virus_found: {
    message: 'L’antivirus a trouvé un logiciel malveillant.',
    remedy: 'Laissez le fichier de côté, et faites contrôler l’ordinateur d’où il vient.',
  },
  scan_failed: {
    message: 'L’antivirus n’a pas pu analyser le fichier.',
    remedy: 'Soumettez à nouveau plus tard. Si l’échec persiste, contactez l’exploitant du service.',
  },
  checksum_mismatch: {
    message: 'Le fichier ne correspond pas à sa somme de contrôle dans les preuves.',
    remedy: 'Téléversez le bon fichier, ou recréez les sommes de contrôle.',
  },
  checksum_file_missing: {
    message: 'Une liste de sommes de contrôle dans les preuves nomme un fichier qui manque.',
    remedy: 'Téléversez le fichier, ou recréez les sommes de contrôle.',
  },
  checksum_list_malformed: {
    message: 'La liste de sommes de contrôle est illisible.',
    remedy: 'Rien à faire si c’est voulu. Sinon, recréez-la avec `sha256sum`.',
  },
  profile_item_missing: {
    message: 'Un élément exigé par le profil manque.',
    remedy:
      'Mettez les fichiers dans un dossier portant l’ID de l’élément, ou confirmez un fichier dont le nom correspond.',
  },
  profile_item_too_old: {
    message: 'Les preuves d’un élément sont plus anciennes que ne le permet le profil.',
    remedy:
      'Téléversez un export plus récent, et indiquez quand il a été collecté (provenance) ou mettez la date dans le nom du fichier, au format AAAA-MM-JJ.',
  },
  profile_item_undated: {
    message:
      'Le profil limite l’ancienneté d’un élément, mais aucun fichier correspondant n’a de date dans sa provenance ou son nom.',
    remedy:
      'Indiquez quand les preuves ont été collectées (provenance), ou ajoutez la date au nom du fichier, au format AAAA-MM-JJ.',
  },
  provenance_unmatched: {
    message: 'Une provenance a été déclarée pour un fichier qui ne figure pas parmi les preuves.',
    remedy: 'Désignez le fichier par son chemin dans le kit, sans data/.',
  },
  more_findings: {
    message: 'Il y a plus de constats que ceux listés.',
    remedy: 'Rien à faire. Répartissez la soumission pour tous les voir.',
  },
  more_blockers: {
    message: 'Il y a plus de points bloquants que ceux listés.',
    remedy: 'Corrigez d’abord ceux-ci, puis soumettez à nouveau.',
  },
}
