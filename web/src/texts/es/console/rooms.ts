import type { rooms as english } from '../../en/console/rooms.ts'
import { counted } from '../words.ts'

export const rooms: typeof english = {
  rooms: 'Salas',
  open: 'Abrir una sala',
  title: 'Abrir una sala para revisores',
  created: 'La sala está abierta',
  toRoom: 'Ir a la sala',
  name: 'Nombre de la sala',
  nameHint: 'Los revisores lo ven; por ejemplo, «Auditoría 2026».',
  what: 'Qué hay en la sala',
  chosen: 'Los kits que elija',
  wholeSeries: 'Una serie, con los kits que lleguen mientras la sala esté abierta',
  series: 'Serie',
  seriesHint: 'Los 100 kits más recientes.',
  find: 'Buscar kits',
  count: (kits) => counted(kits, 'kit elegido', 'kits elegidos'),
  ofSeries: (series) => `Serie «${series}», con los kits que lleguen después`,
  columns: { room: 'Sala', status: 'Estado', questions: 'Preguntas', used: 'Último uso' },
  questions: (count) => `${counted(count, 'pregunta', 'preguntas')} sin respuesta`,
  noQuestions: 'Ninguna abierta',
  reviewers: 'Revisores',
  looked: 'Visto',
  toKit: 'Ir al kit',
  kit: 'Todo el kit',
  notReviewed: 'Nadie ha marcado nada aquí como revisado.',
  boundary: 'Todos los que tienen un enlace ven todos los comentarios de esta sala y quién los escribió.',
}
