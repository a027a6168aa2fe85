import type { rooms as english } from '../../en/console/rooms.ts'
import { counted } from '../words.ts'

export const rooms: typeof english = {
  rooms: 'Salas',
  open: 'Abrir uma sala',
  title: 'Abrir uma sala para revisores',
  created: 'A sala está aberta',
  toRoom: 'Ir para a sala',
  name: 'Nome da sala',
  nameHint: 'Os revisores o veem, por exemplo “Auditoria 2026”.',
  what: 'O que há na sala',
  chosen: 'Kits que eu escolher',
  wholeSeries: 'Uma série, com os kits que chegarem enquanto a sala estiver aberta',
  series: 'Série',
  seriesHint: 'Os 100 kits mais recentes.',
  find: 'Buscar kits',
  count: (kits) => counted(kits, 'kit escolhido', 'kits escolhidos'),
  ofSeries: (series) => `Série “${series}”, com os kits que vierem depois`,
  columns: { room: 'Sala', status: 'Status', questions: 'Perguntas', used: 'Último uso' },
  questions: (count) => `${counted(count, 'pergunta', 'perguntas')} sem resposta`,
  noQuestions: 'Nenhuma em aberto',
  reviewers: 'Revisores',
  looked: 'Visto',
  toKit: 'Ir para o kit',
  kit: 'O kit inteiro',
  notReviewed: 'Ninguém marcou nada aqui como revisado.',
  boundary: 'Todos que têm um link veem todos os comentários desta sala e quem os escreveu.',
}
