import type { request as english } from '../en/request.ts'
import { counted } from './words.ts'

const items = (count: number): string => counted(count, 'item', 'itens')

export const request: typeof english = {
  title: 'Solicitação de arquivos',
  lead: (who) => `${who} pede estes arquivos a você. Não é preciso ter conta.`,
  howTo:
    'Adicione arquivos a cada item. Eles são checados no seu dispositivo e depois salvos aqui. Você pode fechar esta página e continuar mais tarde com o mesmo link, em qualquer dispositivo. Quando terminar, envie.',
  due: 'Prazo:',
  statuses: {
    missing: 'Faltando',
    collected: 'Ainda não enviado',
    to_review: 'Enviado',
    needs_changes: 'Requer alterações',
    accepted: 'Aceito',
    not_applicable: 'Não se aplica',
  },
  notApplicableBy: (who, reason) => `Não se aplica (${who}): ${reason}`,
  applies: 'Aplica-se',
  changes: { added: 'Novo nesta rodada', replaced: 'Alterado nesta rodada' },
  removed: (names) => `${names.length === 1 ? 'Removido' : 'Removidos'} nesta rodada: ${names.join(', ')}`,
  by: { requester: 'Solicitante', supplier: 'Você' },
  chooseFiles: 'Escolher arquivos',
  addFiles: 'Adicionar mais arquivos',
  takePhoto: 'Tirar uma foto',
  chooseFor: (verb, item) => `${verb} para ${item}`,
  dropHint: 'ou solte-os aqui',
  removeFile: (name) => `Remover ${name}`,
  empty: 'Este arquivo está vazio',
  checking: 'Checando…',
  waiting: 'Aguardando…',
  sending: (name) => `Fazendo upload de ${name}`,
  notSent: 'O upload não foi feito: há um problema com este arquivo.',
  failed: 'O upload falhou',
  sendAnyway: 'Fazer upload mesmo assim',
  secretChecked: 'Eu conferi: pode ficar no kit.',
  forget: 'Dispensar',
  forms: {
    comment: {
      open: 'Comentar',
      label: (item) => `Comentário sobre ${item}`,
      hint: 'Por exemplo: onde olhar em um arquivo',
      send: 'Enviar comentário',
    },
    notApplicable: {
      open: 'Não se aplica',
      label: (item) => `Não se aplica: ${item}`,
      hint: 'Por que não há nada a enviar? O motivo faz parte da sua resposta.',
      send: 'Salvar motivo',
    },
  },
  cancel: 'Cancelar',
  other: 'Outros arquivos',
  sender: {
    title: 'Sobre você',
    name: 'Seu nome',
    nameHint: 'Opcional. Fica no kit como você o escrever, como um nome que ninguém verificou.',
  },
  progress: (answered, all, files) =>
    `${answered} de ${counted(all, 'item respondido', 'itens respondidos')} (${counted(files, 'arquivo', 'arquivos')})`,
  progressLabel: 'Itens com resposta',
  submit: 'Enviar',
  submitAnyway: 'Enviar mesmo assim',
  missing: (titles) =>
    titles.length > 3
      ? `${items(titles.length)} ainda não têm arquivos.`
      : `Ainda não há arquivos para: ${titles.join(', ')}.`,
  held: (count) => `O upload de ${counted(count, 'arquivo', 'arquivos')} não foi feito.`,
  outcome: {
    running: 'Seus arquivos estão sendo checados',
    runningText: 'Isso costuma levar alguns segundos.',
    failed: 'Alguns arquivos não puderam ser aceitos',
    failedText: 'Nada foi enviado. Remova ou substitua estes arquivos e envie de novo.',
    damagedText:
      'Nada foi enviado. Substitua estes arquivos e envie de novo. Se os originais são assim, envie-os como estão: o relatório dirá isso.',
    submitDamaged: 'Enviar como estão',
    submitted: 'Enviado. Obrigado!',
    submittedText: (who) =>
      `${who} recebeu seus arquivos e vai revisá-los. Se algo precisar de alterações, você verá aqui. Esqueceu um arquivo? Adicione-o abaixo e envie de novo: você pode alterar um item até que ${who} decida sobre ele.`,
    changing: 'Suas alterações ainda não foram enviadas',
    changingText: (who) => `${who} vê o que você enviou antes. Quando terminar, envie de novo.`,
    accepted: 'Tudo foi aceito',
    settled: 'Nada mais é necessário',
    acceptedText: (who, accepted, notApplicable) =>
      `${who} aceitou ${items(accepted)}${notApplicable === 0 ? '' : `; ${counted(notApplicable, 'item não se aplica', 'itens não se aplicam')}`}.`,
    closed: 'Esta solicitação está encerrada',
    closedText: (who) => `${who} encerrou esta solicitação. Não é mais possível adicionar arquivos.`,
    reopened: (count) => counted(count, 'item requer alterações', 'itens requerem alterações'),
    reopenedText: (who) =>
      `Leia os comentários de ${who}, adicione ou substitua arquivos e envie de novo. Os itens aceitos ficam como estão.`,
  },
  kit: {
    title: 'Sua cópia',
    olderTitle: 'Sua cópia do último envio',
    text: 'Um pacote lacrado com exatamente os arquivos que foram enviados e um recibo assinado. Guarde-o como prova do que você enviou e quando.',
    download: 'Baixar kit.zip',
    verify: 'Conferir neste navegador',
    details: 'Como foi checado',
  },
  problems: {
    credits_exhausted:
      'O solicitante não pode receber arquivos agora, porque a conta dele está sem créditos. Avise-o; seus outros arquivos estão salvos.',
    upload_too_large: 'Os arquivos juntos são maiores do que o solicitante pode receber. Avise-o.',
    upload_in_progress: 'Outro upload foi mais rápido. Tente de novo.',
    link_not_found:
      'Este link não funciona mais. Peça um novo. Os arquivos com upload concluído estão salvos.',
  },
}
