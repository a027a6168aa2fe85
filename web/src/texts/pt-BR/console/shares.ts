import type { shares as english } from '../../en/console/shares.ts'
import { counted } from '../words.ts'

export const shares: typeof english = {
  lead: 'Links com os quais pessoas sem conta podem verificar e baixar um kit.',
  share: 'Compartilhar',
  choose: 'Escolha um kit para compartilhar',
  title: (label) => `Compartilhar “${label}”`,
  life: 'O link funciona por',
  lives: { 1: '1 dia', 7: '7 dias', 14: '14 dias', 30: '30 dias', 90: '90 dias', 365: '1 ano' },
  to: 'Para',
  toHint:
    'E-mails, separados por vírgulas. Cada um tem seu próprio link. Vazio: um link para qualquer pessoa.',
  forAnyone: 'Qualquer pessoa com este link pode ver o que você compartilha.',
  forAnyoneWithPassword: 'Qualquer pessoa com este link e a senha pode ver o que você compartilha.',
  willMail: 'Cada destinatário recebe seu link por e-mail.',
  noMail: 'Este serviço não envia e-mail. Copie cada link e envie-o você mesmo.',
  note: 'Nota para o destinatário',
  noteHint: 'Opcional. Aparece na página.',
  what: 'O que compartilhar',
  whole: 'O kit inteiro',
  some: 'Só alguns arquivos, cada um com sua prova',
  options: 'Senha, limite de downloads e avisos',
  password: 'Senha',
  passwordHint: 'Opcional, pelo menos 8 caracteres. Informe-a ao destinatário por outro canal.',
  limit: 'Limite de downloads',
  limitHint:
    'Opcional, em visitas. Uma visita conta uma vez, quando a página verifica o kit ou alguém o baixa.',
  notify: 'Avisar-me por e-mail quando algo for baixado',
  notifyHint: 'Você recebe no máximo um e-mail por dia por destinatário.',
  create: (recipients, sendsMail) => {
    if (recipients === 0) return 'Criar um link para qualquer pessoa'
    const verb = sendsMail ? 'Enviar' : 'Criar'
    return recipients === 1 ? `${verb} o link` : `${verb} ${counted(recipients, 'link', 'links')}`
  },
  created: 'Compartilhado',
  once: 'Só é mostrado agora. Um link perdido pode ser substituído em “Compartilhamentos”.',
  mails: {
    none: 'Nenhum e-mail registrado',
    queued: 'E-mail na fila',
    sent: 'E-mail enviado',
    failed: 'E-mail não enviado',
    because: (status, reason) => `${status}: ${reason}`,
  },
  linkFor: (address) => `link para ${address}`,
  recipients: (addresses) => `para ${addresses}`,
  link: 'link',
  copied: 'O link foi copiado.',
  done: 'Concluído',
  none: {
    title: 'Nada está compartilhado',
    text: 'Escolha um kit e crie um link. O destinatário o verifica sem conta.',
  },
  columns: { what: 'Compartilhado', status: 'Status', used: 'Uso', actions: 'Ações' },
  wholeKit: 'Kit inteiro',
  files: (count) => counted(count, 'arquivo', 'arquivos'),
  statuses: {
    active: 'Ativo',
    expired: 'Expirado',
    revoked: 'Revogado',
    exhausted: 'Limite de downloads atingido',
  },
  until: (time) => `Expira ${time}`,
  hasPassword: 'senha',
  downloads: (count, limit) =>
    limit === null
      ? counted(count, 'visita', 'visitas')
      : `${count} de ${counted(limit, 'visita', 'visitas')}`,
  neverUsed: 'Ainda não foi aberto',
  links: {
    action: 'Links',
    title: (label) => `Links de “${label}”`,
    lead: 'Um novo link substitui o anterior, que para de funcionar na hora.',
    noMail: 'Este serviço não envia e-mail: copie o novo link e envie-o você mesmo.',
    columns: { who: 'Destinatário' },
    replace: 'Novo link',
    add: 'Adicionar um destinatário',
    anyone: 'Novo link para qualquer pessoa',
  },
  change: {
    action: 'Alterar',
    title: (label) => `Alterar o compartilhamento de “${label}”`,
    life: 'Por quanto tempo funciona',
    now: (time) => `Agora: ${time}`,
    keep: 'Como está agora',
    fromNow: (life) => `${life} a partir de agora`,
    newPassword: 'Nova senha',
    noPassword: 'Remover a senha',
  },
  revoke: {
    action: 'Revogar',
    title: (label) => `Revogar o compartilhamento de “${label}”?`,
    text: 'Todos os links param de funcionar na hora. As cópias já baixadas ficam com o destinatário.',
  },
  accesses: {
    action: 'Log de acessos',
    title: (label) => `Log de acessos de “${label}”`,
    none: 'Ninguém usou este compartilhamento ainda.',
    columns: { at: 'Data', what: 'O quê', from: 'De' },
    linkOf: (address) => `link de ${address}`,
    kinds: {
      opened: 'Abriu a página',
      viewed: 'Viu',
      downloaded: 'Baixou',
      commented: 'Comentou',
      reviewed: 'Marcou como revisado',
      review_withdrawn: 'Retirou a marca',
      password_refused: 'Senha incorreta',
    },
    newest: 'As 100 entradas mais recentes.',
  },
}
