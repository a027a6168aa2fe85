import type { room as english } from '../en/room.ts'
import { counted } from './words.ts'

const kits = (count: number): string => counted(count, 'kit', 'kits')

export const room: typeof english = {
  title: 'Sala',
  openedBy: (who) => `${who} abriu esta sala para você. Seu navegador verifica cada kit.`,
  visible: 'Todos nesta sala veem os comentários e quem os escreveu.',
  as: (who) => `Você escreve como ${who}, o endereço para o qual este link foi criado.`,
  name: 'Seu nome',
  nameHint:
    'Aparece junto ao que você escrever, como não verificado: quem tiver este link pode digitar qualquer nome.',
  none: 'Ainda não há kits nesta sala.',
  kits,
  downloadAll: (count, size) => `Baixar ${kits(count)} em um só zip, ${size}`,
  select: 'Selecionar para baixar',
  verify: {
    all: 'Verificar todos',
    again: 'Verificar todos de novo',
    size: (size) => `Verificar todos, ${size}`,
    running: (done, all) => `Verificando o kit ${done + 1} de ${all}…`,
    passed: (count) => `${counted(count, 'kit verificado', 'kits verificados')} neste navegador`,
    passedText:
      'Inalterados desde que foram lacrados. Cada um está assinado com uma chave que este site publica; você não a comparou com uma obtida em outro lugar.',
    failed: (bad, all) =>
      `FAIL: ${bad} de ${kits(all)} ${bad === 1 ? 'não foi verificado' : 'não foram verificados'}`,
    notYet: (count) => counted(count, 'kit ainda não verificado', 'kits ainda não verificados'),
    stopped: 'Interrompido',
  },
  sentence: {
    sealed: (issuer, who, day) =>
      `Lacrado por ${issuer}${who === undefined ? '' : ` para ${who}`} em ${day}.`,
    waiting: 'Ainda não verificado.',
    running: 'Verificando…',
    verified: 'Inalterado desde então: verificado neste navegador.',
    compared: (key) => `Chave comparada: sim, é ${key}.`,
    notCompared: 'Chave comparada: não, este site a publica.',
    failed: (why) => `FAIL: ${why}`,
    notProved: 'Não provado: que o conteúdo é verdadeiro, completo ou suficiente.',
    erased: (day) => `Os arquivos dele foram excluídos em ${day}.`,
  },
  items: (count) => counted(count, 'item', 'itens'),
  columns: { item: 'Item', status: 'Status ao lacrar', files: 'Arquivos', review: 'Sua revisão' },
  noFiles: 'Sem arquivos',
  open: (count) => `Mostrar ${counted(count, 'arquivo', 'arquivos')} e detalhes`,
  close: 'Ocultar arquivos e detalhes',
  review: {
    kit: 'Revisei este kit',
    file: 'Revisado',
    of: (what) => `Revisado: ${what}`,
    by: (who, day) => `Marcado como revisado por ${who} em ${day}.`,
    own: 'A marca é uma declaração do revisor. O serviço não a confere.',
  },
  comments: {
    title: (count) => (count === 0 ? 'Perguntas e comentários' : `Perguntas e comentários (${count})`),
    about: (what) => `Sobre ${what}`,
    wholeKit: 'Sobre o kit inteiro',
    text: 'Pergunta ou comentário',
    ask: 'Perguntar',
    askAbout: (what) => `Perguntar sobre ${what}`,
    question: 'Enviar pergunta',
    comment: 'Comentar',
    reply: 'Responder',
    replyTo: (who) => `Responder a ${who}`,
    send: 'Enviar',
    cancel: 'Cancelar',
    resolve: 'Marcar como resolvida',
    reopen: 'Reabrir',
    erase: 'Apagar',
    eraseTitle: 'Apagar este comentário?',
    eraseText: 'O texto e o autor são apagados para todos. O log de auditoria mantém o ID e o SHA-256.',
    erased: 'Apagado',
    notVerified: 'não verificado',
    sides: { workspace: 'espaço de trabalho', reviewer: 'revisor' },
    states: { open: 'Aguarda resposta', answered: 'Respondida', resolved: 'Resolvida' },
  },
}
