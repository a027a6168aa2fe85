import type { request as english } from '../en/request.ts'
import { counted, files, items } from './words.ts'

export const request: typeof english = {
  title: 'Demande de fichiers',
  lead: (who) => `${who} vous demande ces fichiers. Vous n’avez pas besoin de compte.`,
  howTo:
    'Ajoutez des fichiers à chaque élément. Ils sont contrôlés sur votre appareil, puis enregistrés ici. Vous pouvez fermer cette page et continuer plus tard avec le même lien, sur n’importe quel appareil. Quand vous avez terminé, soumettez le tout.',
  due: 'Échéance :',
  statuses: {
    missing: 'Manquant',
    collected: 'Pas encore soumis',
    to_review: 'Soumis',
    needs_changes: 'À corriger',
    accepted: 'Accepté',
    not_applicable: 'Sans objet',
  },
  notApplicableBy: (who, reason) => `Sans objet (${who}) : ${reason}`,
  applies: 'S’applique finalement',
  changes: { added: 'Nouveau dans cette version', replaced: 'Modifié dans cette version' },
  removed: (names) => `Retirés dans cette version : ${names.join(', ')}`,
  by: { requester: 'Demandeur', supplier: 'Vous' },
  chooseFiles: 'Choisir des fichiers',
  addFiles: 'Ajouter d’autres fichiers',
  takePhoto: 'Prendre une photo',
  chooseFor: (verb, item) => `${verb} pour ${item}`,
  dropHint: 'ou déposez-les ici',
  removeFile: (name) => `Retirer ${name}`,
  empty: 'Ce fichier est vide',
  checking: 'Contrôle en cours…',
  waiting: 'En attente…',
  sending: (name) => `Téléversement de ${name}`,
  notSent: 'Non téléversé : ce fichier pose un problème.',
  failed: 'Échec du téléversement',
  sendAnyway: 'Téléverser quand même',
  secretChecked: 'Je l’ai examiné : cela peut figurer dans le kit.',
  forget: 'Ignorer',
  forms: {
    comment: {
      open: 'Commenter',
      label: (item) => `Commentaire sur ${item}`,
      hint: 'Par exemple : où regarder dans un fichier',
      send: 'Envoyer le commentaire',
    },
    notApplicable: {
      open: 'Sans objet',
      label: (item) => `Sans objet : ${item}`,
      hint: 'Pourquoi n’y a-t-il rien à envoyer ? Le motif fait partie de votre réponse.',
      send: 'Enregistrer le motif',
    },
  },
  cancel: 'Annuler',
  other: 'Autres fichiers',
  sender: {
    title: 'À votre sujet',
    name: 'Votre nom',
    nameHint:
      'Facultatif. Il figure dans le kit tel que vous l’écrivez, comme un nom que personne n’a vérifié.',
  },
  progress: (answered, all, count) => `${items(answered)} sur ${all} avec réponse (${files(count)})`,
  progressLabel: 'Éléments avec réponse',
  submit: 'Soumettre',
  submitAnyway: 'Soumettre quand même',
  missing: (titles) =>
    titles.length > 3
      ? `${items(titles.length)} n’ont pas encore de fichiers.`
      : `Pas encore de fichiers pour : ${titles.join(', ')}.`,
  held: (count) => `${counted(count, 'fichier n’a pas été téléversé', 'fichiers n’ont pas été téléversés')}.`,
  outcome: {
    running: 'Vos fichiers sont en cours de contrôle',
    runningText: 'Cela prend généralement quelques secondes.',
    failed: 'Certains fichiers n’ont pas pu être acceptés',
    failedText: 'Rien n’a été soumis. Retirez ou remplacez ces fichiers, puis soumettez à nouveau.',
    damagedText:
      'Rien n’a été soumis. Remplacez ces fichiers et soumettez à nouveau. Si les originaux sont ainsi, soumettez-les tels quels : le rapport le mentionnera.',
    submitDamaged: 'Soumettre tels quels',
    submitted: 'Soumis. Merci !',
    submittedText: (who) =>
      `${who} a vos fichiers et les examine. Si une correction est nécessaire, vous le verrez ici. Un fichier oublié ? Ajoutez-le ci-dessous et soumettez à nouveau : vous pouvez modifier un élément jusqu’à la décision de ${who}.`,
    changing: 'Vos modifications ne sont pas encore soumises',
    changingText: (who) =>
      `${who} voit ce que vous avez soumis auparavant. Soumettez à nouveau quand vous avez terminé.`,
    accepted: 'Tout est accepté',
    settled: 'Plus rien n’est nécessaire',
    acceptedText: (who, accepted, notApplicable) =>
      `${who} a accepté ${items(accepted)}${notApplicable === 0 ? '' : ` ; ${items(notApplicable)} sans objet`}.`,
    closed: 'Cette demande est close',
    closedText: (who) => `${who} a clos cette demande. Il n’est plus possible d’ajouter des fichiers.`,
    reopened: (count) => `${items(count)} à corriger`,
    reopenedText: (who) =>
      `Lisez les commentaires de ${who}, ajoutez ou remplacez des fichiers, puis soumettez à nouveau. Les éléments acceptés restent tels quels.`,
  },
  kit: {
    title: 'Votre copie',
    olderTitle: 'Votre copie de la dernière soumission',
    text: 'Une archive scellée qui contient exactement les fichiers soumis, avec un reçu signé. Conservez-la comme preuve de ce que vous avez envoyé, et quand.',
    download: 'Télécharger kit.zip',
    verify: 'Contrôler dans ce navigateur',
    details: 'Comment le contrôle a été fait',
  },
  problems: {
    credits_exhausted:
      'Le demandeur ne peut pas recevoir de fichiers pour le moment : son compte n’a plus de crédits. Prévenez-le ; vos autres fichiers sont enregistrés.',
    upload_too_large: 'L’ensemble des fichiers dépasse ce que le demandeur peut recevoir. Prévenez-le.',
    upload_in_progress: 'Un autre téléversement a été plus rapide. Réessayez.',
    link_not_found:
      'Ce lien ne fonctionne plus. Demandez-en un nouveau. Les fichiers déjà téléversés sont enregistrés.',
  },
}
