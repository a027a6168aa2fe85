import type { verify as english } from '../en/verify.ts'
import { counted } from './words.ts'

export const verify: typeof english = {
  title: 'Vérifier un kit',
  lead: 'La vérification se fait dans votre navigateur, avec les clés que ce site publie pour ses propres kits ou avec celles que vous fournissez. Rien n’est téléversé.',
  dropTitle: 'Déposez ici un kit.zip, un dossier de kit décompressé ou un receipt.json',
  dropHint: 'Vos fichiers restent sur cet ordinateur.',
  chooseFile: 'Choisir un fichier…',
  chooseFolder: 'Choisir un dossier…',
  oneAtATime: 'Il y a plus d’un reçu. Choisissez un seul kit ou un seul receipt.json.',
  unreadable: (why) => `Lecture impossible (${why}). Essayez plutôt avec le kit.zip.`,
  oldBrowser:
    'Ce navigateur ne prend pas en charge les signatures Ed25519 : chaque kit échoue donc ici. Utilisez une version récente de Chrome, Edge, Firefox ou Safari, en HTTPS ou sur localhost.',
  keysTitle: (count) => `${counted(count, 'clé publique', 'clés publiques')} de ce site`,
  keysMissing: 'Vérification impossible : les clés publiques de ce service n’ont pas pu être chargées.',
  working: (name) => `Vérification de ${name}`,
  progress: (done, all) => `${done} sur ${all}`,
  askIssuer: 'Savez-vous que cette adresse est celle de l’émetteur ? Alors contrôlez le kit là-bas :',
  stop: 'Arrêter',
  stopped: 'Arrêté. Rien n’a été vérifié.',
  failed: (why) => `La vérification n’est pas allée à son terme, rien n’est donc vérifié : ${why}`,
  named: {
    title: 'Vérifier ce kit',
    lead: 'Cette page concerne un seul kit. Déposez votre copie pour la comparer à ce qui a été émis. Rien n’est téléversé.',
    about: 'Kit',
    kitId: 'ID du kit',
    loading: 'Chargement du reçu',
    known: 'Reçu public',
    hashes: 'Hachages',
    unknownTitle: 'Pas de reçu public',
    unknown:
      'Ce service n’a pas ce kit, ou son espace de travail le garde privé. Vous pouvez tout de même vérifier votre copie.',
    invalid:
      'L’ID de kit dans ce lien n’est pas valide. Il doit être « kit_ » suivi d’au moins 22 caractères.',
    erased: (day, by) => `Preuves supprimées le ${day} ${by}`,
    erasedByRule: (rule) => `selon la règle de conservation : ${rule}`,
    erasedByOrder: 'sur ordre de leur propriétaire',
    erasedText:
      'Le service n’a plus les fichiers de ce kit. Une copie en votre possession peut toujours être vérifiée. L’attestation de suppression est signée par l’émetteur.',
    agree: (host) => `Le reçu est signé avec une clé que ce site, ${host}, publie.`,
    dropTitle: 'Déposez ici votre kit.zip ou le dossier de kit décompressé',
  },
}
