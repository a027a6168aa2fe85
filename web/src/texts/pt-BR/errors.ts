import type { Errors } from '../errors.ts'

const NEW_LINK = 'Peça um novo link.'
const LATER = 'Tente de novo em alguns minutos.'
const UPLOAD_AGAIN = 'Faça upload do arquivo de novo.'

export const errors: Errors = {
  link_not_found: `Este link expirou ou foi substituído. ${NEW_LINK}`,
  share_not_found:
    'Este link não corresponde a nenhum compartilhamento. Confira se você o copiou por inteiro.',
  share_revoked: `O remetente revogou este compartilhamento. ${NEW_LINK}`,
  share_replaced: `Este link foi substituído por outro. ${NEW_LINK}`,
  share_expired: `Este compartilhamento expirou. ${NEW_LINK}`,
  share_exhausted:
    'O limite de downloads deste compartilhamento foi atingido. Peça ao remetente que o aumente.',
  share_password_wrong: 'A senha está incorreta.',
  shared_file_not_found: 'Este compartilhamento não inclui este arquivo.',
  room_not_found: 'Este link não corresponde a nenhuma sala.',
  room_full: 'Esta sala não aceita mais comentários nem marcas de revisão.',
  comment_not_found: 'Este comentário não existe mais, ou só quem fez a pergunta pode mudar o estado dela.',
  kit_not_found: 'Kit não encontrado.',
  kit_expired: 'O prazo de retenção deste kit terminou, e seus arquivos foram excluídos.',
  mail_off: 'Este serviço não envia e-mails.',
  request_not_open: 'Esta solicitação não aceita mais nada.',
  request_item_locked:
    'Já foi tomada uma decisão sobre este item. Ele só pode ser alterado se for devolvido a você.',
  submission_running: 'Os arquivos estão sendo checados. Tente de novo daqui a pouco.',
  submission_submitted: 'Os arquivos já foram enviados. Recarregue a página.',
  evidence_gone: 'Os arquivos anteriores foram excluídos. Faça upload deles de novo.',
  uploads_unfinished: 'O upload de alguns arquivos ainda não terminou.',
  upload_in_progress: 'Há outro upload em andamento. Espere até que termine.',
  upload_locked: 'O arquivo está sendo salvo. Tente de novo daqui a pouco.',
  upload_expired: `O upload ficou interrompido por tempo demais. ${UPLOAD_AGAIN}`,
  checksum_mismatch: `O arquivo foi alterado durante o upload. ${UPLOAD_AGAIN}`,
  storage_limit_reached:
    'O espaço de armazenamento disponível se esgotou. Não é possível salvar mais arquivos.',
  storage_full: `O serviço está com pouco espaço de armazenamento. ${LATER}`,
  rate_limited: 'Tentativas demais. Espere um pouco antes de tentar de novo.',
  request_timeout: 'A transmissão foi interrompida. Tente de novo.',
  internal_error: `Ocorreu um erro no serviço. ${LATER}`,
  overloaded: `O serviço está sobrecarregado. ${LATER}`,
  store_unavailable: `O serviço está temporariamente indisponível. ${LATER}`,
  object_unavailable: `Este arquivo está temporariamente indisponível. ${LATER}`,
  stopping: `O serviço está sendo reiniciado. ${LATER}`,
}
