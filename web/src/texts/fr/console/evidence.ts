import type { evidence as english } from '../../en/console/evidence.ts'
import { counted, files, number } from '../words.ts'

export const evidence: typeof english = {
  new: {
    lead: 'Choisissez des fichiers. Ils sont contrôlés dans votre navigateur, et téléversés seulement quand vous soumettez.',
    label: 'Nom',
    labelHint:
      'Les examinateurs voient ce nom. Utilisez le même pour les kits que vous voulez comparer plus tard.',
    labelExample: 'Revue des accès, T3',
    profile: 'Profil',
    profileHint: 'Un profil est une liste de contrôle des fichiers requis.',
    attributes: {
      title: 'Série, étiquettes et ID externe',
      series: 'Série',
      seriesHint:
        'Pour les preuves que vous collectez régulièrement. Chaque kit montre ce qui a changé depuis le précédent.',
      seriesExample: 'Revue des accès',
      tags: 'Étiquettes',
      tagsHint: 'Pour la retrouver plus tard. Appuyez sur Entrée après chacune.',
      externalId: 'ID externe',
      externalIdHint: 'Votre propre ID, par exemple un numéro de ticket.',
    },
    provenance: {
      title: 'Provenance',
      hint: 'Facultatif. Le kit l’affiche comme déclaré par vous, et non comme vérifié.',
      collector: 'Collecté avec',
      collectorHint: 'L’outil, ou la fonction de la personne, qui a collecté les fichiers.',
      collectorExample: 'Prowler 5.9',
      period: 'Période couverte',
      from: 'Du',
      to: 'Au',
      bothDates: 'Saisissez les deux dates de la période, ou aucune.',
      wrongPeriod: 'La période ne doit pas finir avant d’avoir commencé.',
    },
    dropTitle: 'Déposez ici des fichiers, des dossiers ou une archive zip',
    dropHint: (limit) => `Jusqu’à ${limit} au total. Rien n’est encore téléversé.`,
    reading: 'Lecture des fichiers…',
    dropMore: 'Déposez d’autres fichiers n’importe où sur cette page',
    chooseFiles: 'Choisir des fichiers…',
    chooseFolder: 'Choisir un dossier…',
    nothing: 'Aucun fichier trouvé.',
    skipped: (count) =>
      `${counted(count, 'fichier ignoré', 'fichiers ignorés')} : un fichier du même nom est déjà dans cette soumission.`,
    unreadable: (why) => `Lecture impossible (${why}). Essayez « Choisir un dossier… », ou une archive zip.`,
    filesTitle: (count, size) => `${files(count)}, ${size}`,
    fileList: 'Fichiers choisis',
    problems: (count, more = false) =>
      more ? `${number(count)}+ problèmes` : counted(count, 'problème', 'problèmes'),
    withProblems: (count) => `${files(count)} avec problèmes`,
    removeFile: (name) => `Retirer ${name}`,
    sendingFile: (name) => `Téléversement de ${name}`,
    sent: 'téléversé',
    tooLarge: {
      title: 'Trop volumineux',
      text: (size, limit) =>
        `Ces fichiers font ${size}. La limite est de ${limit}. Retirez des fichiers, ou répartissez-les en deux soumissions.`,
    },
    check: {
      running: 'Contrôle des fichiers dans votre navigateur',
      goodTitle: 'Aucun problème trouvé. Prêt à soumettre.',
      goodWithNotices: 'Prêt à soumettre. Voir les remarques ci-dessous.',
      badTitle: (problems) => `Résultat : ${problems}`,
      removeFiles: (count) =>
        count === 1 ? 'Retirer le fichier à problème' : `Retirer les ${number(count)} fichiers à problème`,
      bad: 'Corrigez ces fichiers et déposez-les à nouveau : un fichier du même nom remplace l’ancien. Rien n’a été téléversé.',
      failedTitle: 'Le contrôle n’a pas pu se faire dans votre navigateur',
      failed: (why) =>
        `Vous pouvez tout de même soumettre : le service contrôle les fichiers après le téléversement. (${why})`,
    },
    accept: {
      secrets: {
        title: 'Soumettre un secret possible ?',
        text: 'Toute personne qui reçoit le kit peut le lire, et un kit ne peut pas être repris. Le kit consigne ce dont vous prenez acte ici, et le classeur le montre.',
        label: (count) =>
          `${count === 1 ? 'Je l’ai examiné' : 'Je les ai examinés'}. Soumettre avec ${counted(count, 'secret possible', 'secrets possibles')}.`,
      },
      files: {
        title: 'Soumettre des fichiers endommagés tels quels ?',
        text: 'Le kit consigne ce dont vous prenez acte ici, et le classeur le montre. Les fichiers dangereux ne peuvent pas être soumis.',
        label: (count) =>
          count === 1
            ? 'Je le sais. Soumettre le fichier tel quel.'
            : `Je le sais. Soumettre les ${number(count)} fichiers tels quels.`,
      },
      items: {
        title: 'Soumettre avec des éléments incomplets ?',
        text: 'Le profil en demande plus. Le kit consigne ce dont vous prenez acte ici, et le classeur le montre.',
        label: (count) =>
          `Je le sais. Soumettre avec ${counted(count, 'élément incomplet', 'éléments incomplets')}.`,
      },
    },
    send: 'Soumettre',
    sending: 'Téléversement en cours. Gardez cette page ouverte.',
    sentOf: (sent, all) => `${files(sent)} sur ${number(all)} ${sent < 2 ? 'téléversé' : 'téléversés'}`,
    leave: {
      title: 'Quitter sans soumettre ?',
      text: (count) =>
        count === 1
          ? '1 fichier choisi n’est pas encore soumis. Si vous quittez la page, vous devrez le choisir à nouveau.'
          : `${number(count)} fichiers choisis ne sont pas encore soumis. Si vous quittez la page, vous devrez les choisir à nouveau.`,
      stay: 'Rester',
      leave: 'Quitter',
    },
    cancel: 'Annuler',
    cancelled: 'Téléversement annulé.',
    stoppedTitle: 'Téléversement incomplet',
    stopped: 'Les fichiers téléversés sont conservés. « Reprendre » téléverse le reste.',
    retry: 'Reprendre',
    notReady: {
      files: 'Choisissez d’abord des fichiers.',
      label: 'Saisissez d’abord un nom.',
      size: 'Les fichiers sont trop volumineux.',
    },
  },
}
