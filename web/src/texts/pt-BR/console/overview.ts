import type { overview as english } from '../../en/console/overview.ts'
import { counted } from '../words.ts'

const items = (count: number): string => counted(count, 'item', 'itens')

export const overview: typeof english = {
  attention: 'Requer atenção',
  nothing: 'Nada requer a sua atenção.',
  waiting: {
    failed: (title) => `“${title}” requer alterações`,
    mail: (to, _, reason) =>
      `O e-mail${to === '' ? '' : ` para ${to}`} não foi enviado${reason === '' ? '' : `: ${reason}`}`,
    period_failed: (title) => `“${title}” não foi lacrado. Os arquivos requerem alterações`,
    item_late: (title) => `Seu item “${title}” está atrasado`,
    item_sent_back: (title) => `Seu item “${title}” requer alterações`,
    item: (title) => `Seu item “${title}” está perto do prazo`,
    review: (title, count) => `Resposta a “${title}”: ${items(count)} a revisar`,
    unanswered: (title, count) =>
      `Resposta a “${title}”: ${items(count)} sem arquivos. Devolva ou marque como não aplicável`,
    overdue: (title) => `A solicitação “${title}” está atrasada`,
    due: (title) => `A solicitação “${title}” está perto do prazo`,
    sent_back: (title, count) =>
      `Solicitação “${title}”: ${counted(count, 'item devolvido', 'itens devolvidos')} ao fornecedor`,
    question: (title, questions) =>
      `Sala “${title}”: ${counted(questions, 'pergunta', 'perguntas')} sem resposta`,
    draft: (title) => `O rascunho “${title}” tem arquivos não enviados`,
    share: (title) => `O compartilhamento de “${title}” está para expirar`,
    key: (title) => `A chave de API “${title}” está para expirar`,
    name: () => 'Este espaço de trabalho ainda não tem nome',
    evidence: (_, kits) =>
      `A regra de retenção vai excluir as evidências de ${kits < 1000 ? counted(kits, 'kit', 'kits') : '1.000 kits ou mais'}`,
  },
  more: 'Há mais. Veja Solicitações, Envios e Compartilhamentos.',
  toReview: 'A revisar',
  recent: 'Envios recentes',
  first: {
    title: 'Emita seu primeiro kit',
    text: 'Um kit reúne evidências e um recibo assinado. Qualquer pessoa pode conferi-lo, com ou sem este serviço.',
    steps: [
      { title: 'Escolha arquivos', text: 'Eles são checados no seu navegador antes de qualquer upload.' },
      { title: 'Envie', text: 'O serviço os checa de novo, lacra e emite o kit em segundos.' },
      {
        title: 'Compartilhe o kit',
        text: 'Envie um link. O destinatário não precisa de conta para conferir e baixar.',
      },
    ],
    own: 'Usar meus próprios arquivos',
    viewer: 'Peça a um membro ou proprietário que envie evidências: sua função só permite ler.',
  },
}
