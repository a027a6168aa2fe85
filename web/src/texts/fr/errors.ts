import type { Errors } from '../errors.ts'

const NEW_LINK = 'Demandez un nouveau lien.'
const LATER = 'Réessayez dans quelques minutes.'
const UPLOAD_AGAIN = 'Téléversez de nouveau le fichier.'

export const errors: Errors = {
  link_not_found: `Ce lien a expiré ou a été remplacé. ${NEW_LINK}`,
  share_not_found: 'Aucun partage ne correspond à ce lien. Vérifiez que vous l’avez copié en entier.',
  share_revoked: `L’expéditeur a révoqué ce partage. ${NEW_LINK}`,
  share_replaced: `Ce lien a été remplacé par un autre. ${NEW_LINK}`,
  share_expired: `Ce partage a expiré. ${NEW_LINK}`,
  share_exhausted:
    'La limite de téléchargements de ce partage est atteinte. Demandez à l’expéditeur de la relever.',
  share_password_wrong: 'Le mot de passe est incorrect.',
  shared_file_not_found: 'Ce partage ne contient pas ce fichier.',
  room_not_found: 'Ce lien ne correspond à aucune salle.',
  room_full: 'Cette salle n’accepte plus ni commentaires ni marques.',
  comment_not_found:
    'Ce commentaire n’existe plus, ou seule la personne qui a posé la question peut en changer l’état.',
  kit_not_found: 'Ce kit ne se trouve pas ici.',
  kit_expired: 'La durée de conservation de ce kit est écoulée ; ses fichiers sont supprimés.',
  mail_off: 'Ce service n’envoie pas d’e-mails.',
  request_not_open: 'Cette demande n’accepte plus rien.',
  request_item_locked:
    'Une décision a déjà été prise sur cet élément. Il ne pourra être modifié que s’il vous est renvoyé.',
  submission_running: 'Les fichiers sont en cours de contrôle. Réessayez dans un instant.',
  submission_submitted: 'Les fichiers ont déjà été soumis. Rechargez la page.',
  evidence_gone: 'Les fichiers précédents ont été supprimés. Téléversez-les de nouveau.',
  uploads_unfinished: 'Certains fichiers ne sont pas encore entièrement téléversés.',
  upload_in_progress: 'Un autre téléversement est en cours. Attendez qu’il se termine.',
  upload_locked: 'Le fichier est en cours d’enregistrement. Réessayez dans un instant.',
  upload_expired: `Le téléversement a été interrompu trop longtemps. ${UPLOAD_AGAIN}`,
  checksum_mismatch: `Le fichier a été altéré pendant le téléversement. ${UPLOAD_AGAIN}`,
  storage_limit_reached:
    'L’espace de stockage disponible est épuisé. Aucun autre fichier ne peut être enregistré.',
  storage_full: `Le service manque d’espace de stockage. ${LATER}`,
  rate_limited: 'Trop de tentatives. Patientez un peu avant de réessayer.',
  request_timeout: 'La transmission a été interrompue. Réessayez.',
  internal_error: `Une erreur s’est produite dans le service. ${LATER}`,
  overloaded: `Le service est surchargé. ${LATER}`,
  store_unavailable: `Le service est momentanément indisponible. ${LATER}`,
  object_unavailable: `Ce fichier est momentanément indisponible. ${LATER}`,
  stopping: `Le service est en train de redémarrer. ${LATER}`,
}
