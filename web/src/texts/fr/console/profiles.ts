import type { profiles as english } from '../../en/console/profiles.ts'
import { counted, items } from '../words.ts'

const OR = new Intl.ListFormat('fr', { type: 'disjunction' })

export const profiles: typeof english = {
  checklist: {
    title: (met, required) =>
      `Liste de contrôle : ${met} sur ${counted(required, 'élément requis', 'éléments requis')}`,
    states: {
      met: 'Fait',
      suggested: 'À confirmer',
      missing: 'Manquant',
      optional: 'Facultatif',
      open: 'À faire',
    },
    suggestion: (name) => `Suggéré d’après son nom : ${name}`,
    confirm: 'Confirmer',
    confirmAs: (name, item) => `que ${name} est pour ${item}`,
    example: (name) => `Par exemple ${name}`,
    wanted: (types, days) => {
      const kinds = OR.format(types)
      if (days === undefined) return `${kinds}.`
      const age = counted(days, 'jour', 'jours')
      return `${kinds === '' ? `Datant de ${age} au plus` : `${kinds}, datant de ${age} au plus`}. Mettez la date dans le nom : 2026-09-30.`
    },
    choose: 'Choisir des fichiers',
  },
  profiles: {
    lead: 'Un profil est une liste de contrôle de ce que doivent contenir les preuves destinées à un usage.',
    new: 'Nouveau profil',
    copy: 'Copier',
    edit: 'Modifier',
    remove: 'Supprimer',
    removeTitle: (title) => `Supprimer ${title} ?`,
    removeText: 'Les nouvelles soumissions ne pourront plus l’utiliser. Celles qui existent le gardent.',
    columns: { title: 'Profil', items: 'Éléments', source: 'Origine', actions: 'Actions' },
    sources: { service: 'kitseal', workspace: 'Cet espace de travail' },
    items,
    preview: 'Aperçu',
    save: 'Enregistrer',
    name: 'Nom pour l’API',
    nameHint: 'Lettres minuscules, chiffres et traits d’union. Ne peut plus être changé ensuite.',
    titleField: 'Titre',
    description: 'Description',
    item: (index) => `Élément ${index + 1}`,
    itemTitle: 'Ce que c’est',
    itemDescription: 'Ce qu’il faut fournir',
    itemExample: 'Exemple de nom de fichier',
    itemControls: 'Mesures de contrôle',
    itemTypes: 'Types de fichiers',
    anyType: 'Tous les types',
    itemAge: 'Datant au plus de',
    anyAge: 'Sans limite d’âge',
    days: ' jours',
    itemPaths: 'Noms de fichiers qui comptent',
    itemPathsHint:
      'Facultatif. Un * représente n’importe quel texte, par exemple users-*.csv. Les fichiers déposés sur l’élément comptent toujours.',
    itemCount: 'Nombre de fichiers',
    policy: {
      title: 'Règles',
      examinedOnly: 'N’accepter que les fichiers que le service peut analyser',
      examinedOnlyHint: 'Les autres fichiers font échouer la soumission au lieu d’être acceptés tels quels.',
      strict: 'Constats qui font toujours échouer la soumission',
      strictHint: 'Sinon, le fournisseur peut en prendre acte, ou ils sont seulement mentionnés.',
      strictNone: 'Aucun en plus des règles communes à toutes les preuves',
    },
    itemId: 'ID (nom de dossier)',
    itemRequired: 'Requis',
    addItem: 'Ajouter un élément',
    removeItem: 'Retirer l’élément',
  },
  fileTypes: {
    pdf: 'PDF',
    docx: 'document Word',
    xlsx: 'classeur Excel',
    pptx: 'présentation PowerPoint',
    csv: 'tableau CSV',
    txt: 'texte brut',
    log: 'fichier journal',
    md: 'Markdown',
    json: 'JSON',
    xml: 'XML',
    yaml: 'YAML',
    html: 'page HTML',
    png: 'image PNG',
    jpeg: 'image JPEG',
    eml: 'e-mail',
    msg: 'message Outlook',
    odt: 'texte OpenDocument',
    ods: 'tableur OpenDocument',
    zip: 'archive ZIP',
    sarif: 'résultats d’analyse SARIF',
  },
  series: {
    add: 'Ajouter à une série',
    of: (name) => `Série : ${name}`,
    addLabel: 'Série',
    addHint: 'Le kit ne change pas. Le prochain kit de la série le désignera comme le précédent.',
  },
}
