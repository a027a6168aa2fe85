import type { preview as english } from '../en/preview.ts'
import { counted } from './words.ts'

export const preview: typeof english = {
  open: (name) => `Aperçu de ${name}`,
  contentOf: (name) => `Contenu de ${name}`,
  download: 'Télécharger',
  downloadOf: (name) => `Télécharger ${name}`,
  proof: 'Preuve d’inclusion',
  proofOf: (name) => `Télécharger la preuve d’inclusion de ${name}`,
  fileSays: (summary) => `Le fichier indique : ${summary}`,
  previous: 'Précédent',
  next: 'Suivant',
  close: 'Fermer',
  empty: 'Ce fichier est vide.',
  none: 'Pas d’aperçu pour ce type de fichier. Téléchargez-le pour l’ouvrir.',
  noImage: 'Ce navigateur ne peut pas afficher cette image. Téléchargez-la pour l’ouvrir.',
  large: 'Ce fichier est trop volumineux pour un aperçu. Téléchargez-le pour l’ouvrir.',
  pdf: {
    page: (page, pages) => `Page ${page} sur ${pages}`,
    previous: 'Page précédente',
    next: 'Page suivante',
    hint: 'Des polices et des images peuvent manquer dans cet aperçu. Téléchargez le fichier pour le voir en entier.',
    noImages:
      'Certaines images de ce fichier n’apparaissent pas dans cet aperçu : des pages peuvent sembler vides.',
    noText: 'Une partie du texte n’apparaît pas dans cet aperçu.',
    seeFile: 'Téléchargez le fichier pour tout voir.',
    damaged:
      'Ce PDF est endommagé, il n’y a donc pas d’aperçu. Téléchargez-le pour essayer un autre logiciel.',
    password: 'Ce PDF exige un mot de passe, il n’y a donc pas d’aperçu. Téléchargez-le pour l’ouvrir.',
    brokenPage: 'Cette page n’a pas pu être affichée. Téléchargez le fichier pour la voir.',
  },
  office: {
    sheet: 'Feuille',
    emptySheet: 'Cette feuille est vide.',
    firstColumns: (count) =>
      count === 1
        ? 'Seule la première colonne est affichée.'
        : `Seules les ${counted(count, 'première colonne', 'premières colonnes')} sont affichées.`,
    sheetHint: 'Valeurs uniquement. Graphiques, images et mise en forme ne sont pas affichés.',
    documentHint:
      'Texte et tableaux uniquement. Images, en-têtes, notes et mise en forme ne sont pas affichés.',
    emptyDocument: 'Ce document ne contient pas de texte.',
    damaged:
      'Ce fichier est illisible, il n’y a donc pas d’aperçu. Téléchargez-le pour essayer un autre logiciel.',
    slow: 'La lecture de ce fichier est trop longue, il n’y a donc pas d’aperçu. Téléchargez-le pour l’ouvrir.',
  },
  cut: 'Seul le début est affiché. Téléchargez le fichier pour voir la suite.',
  firstRows: (count) =>
    `${count === 1 ? 'La première ligne' : `Les ${counted(count, 'première ligne', 'premières lignes')}`}. Téléchargez le fichier pour voir la suite.`,
  failed: (why) => `L’aperçu n’a pas pu être chargé : ${why}`,
}
