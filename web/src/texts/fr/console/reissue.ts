import type { reissue as english } from '../../en/console/reissue.ts'
import { counted, number } from '../words.ts'

export const reissue: typeof english = {
  banner: {
    title: (count, date) =>
      `${counted(count, 'kit a été signé', 'kits ont été signés')} avec une clé révoquée le ${date}`,
    text: (heading) =>
      `Les personnes qui les vérifient voient « ${heading} ». Réémettez-les : vous obtenez de nouveaux kits avec les mêmes preuves, signés avec la clé actuelle. Envoyez les nouveaux kits à toutes les personnes qui ont les anciens.`,
    compromised: (date) =>
      `La clé a pu être en d’autres mains depuis le ${date}. Les kits inscrits au journal avant cette date restent vérifiables pour les personnes qui contrôlent la date avec des témoins ou des horodatages.`,
    action: (count) => (count === 1 ? 'Réémettre le kit' : `Réémettre les ${number(count)} kits`),
    progress: (done) => `${counted(done, 'kit réémis', 'kits réémis')}…`,
  },
  kit: {
    revoked: 'Les personnes qui vérifient ce kit voient les mêmes mots. Les preuves sont encore stockées.',
    reissue:
      'Réémettez-le : vous obtenez un nouveau kit avec les mêmes preuves, signé avec la clé actuelle. ',
    askOwner: 'Demandez à un propriétaire de le réémettre.',
    replaced: 'Le kit a été réémis. Envoyez le nouveau kit à toutes les personnes qui ont celui-ci.',
    expired:
      'Les preuves ont été supprimées à la fin de leur durée de conservation, le kit ne peut donc pas être réémis. Soumettez à nouveau les preuves.',
    action: 'Réémettre le kit',
  },
  replaces: 'Remplace le kit de :',
  replacedBy: 'Remplacé par :',
}
