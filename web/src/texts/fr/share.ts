import type { share as english } from '../en/share.ts'
import { counted, files } from './words.ts'

export const share: typeof english = {
  title: 'Kit partagé',
  sharedBy: (who) => `Partagé par ${who}.`,
  verifies: 'Votre navigateur le vérifie.',
  downloadKit: (size) => `Télécharger le kit, ${size}`,
  aboutKit: 'À propos de ce kit',
  aboutFiles: 'À propos de ces fichiers',
  facts: {
    issuer: 'Émetteur',
    supplier: 'Fournisseur',
    requester: 'Demandeur',
    name: 'Nom',
    issued: 'Émis',
    expires: 'Expiration du lien',
    downloadsLeft: 'Visites restantes, celle-ci comprise',
    kitId: 'ID du kit',
  },
  unknownSupplier: 'non indiqué',
  files,
  otherFiles: (count) =>
    `${counted(count, 'autre fichier', 'autres fichiers')} : manifeste, reçu, classeur, vérificateur…`,
  how: 'Comment le contrôle a été fait',
  notYet: 'Pas encore vérifié',
  large: 'La vérification lit l’ensemble. Votre navigateur a besoin d’autant de mémoire libre.',
  verifyNow: (size) => `Vérifier ${size}`,
  notVerified: 'Vérification impossible',
  checkingFiles: (done, all) => `Vérification : ${files(done)} sur ${all}…`,
  filesVerified: (count) => `${count < 2 ? 'Vérifié' : 'Vérifiés'} : ${files(count)}`,
  filesVerifiedText: (key) =>
    `Chaque fichier est inchangé et appartient à un kit signé avec ${key}. Les autres fichiers du kit ne sont pas partagés.`,
  erased: (day) => `Les fichiers ont été supprimés le ${day}`,
  erasedText:
    'Le service n’a plus les fichiers de ce kit. Une copie en votre possession peut toujours être vérifiée.',
  exhausted: 'Demandez à l’expéditeur de relever la limite si vous avez encore besoin des fichiers.',
  keyRevoked: (day) => `Clé de signature révoquée le ${day}`,
  keyRevokedText:
    'L’émetteur ne répond plus des signatures faites avec cette clé. Demandez à l’expéditeur un kit réémis.',
  yourself: 'Contrôler vous-même',
  yourselfKit: (keys) => `Téléchargez le kit et ${keys}. Vérifiez-le ensuite sans ce service :`,
  yourselfFiles: (keys) =>
    `Téléchargez un fichier, sa preuve d’inclusion et ${keys}. Vérifiez-les ensuite sans ce service :`,
  command: 'commande',
  password: {
    title: 'Mot de passe requis',
    lead: 'L’expéditeur a protégé ce partage par un mot de passe.',
    label: 'Mot de passe',
    open: 'Ouvrir',
  },
}
