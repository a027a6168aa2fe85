import type { overview as english } from '../../en/console/overview.ts'
import { counted } from '../words.ts'

const items = (count: number): string => counted(count, 'elemento', 'elementos')

export const overview: typeof english = {
  attention: 'Requiere atención',
  nothing: 'Nada requiere su atención.',
  waiting: {
    failed: (title) => `«${title}» requiere cambios`,
    mail: (to, _, reason) =>
      `No se envió el correo${to === '' ? '' : ` a ${to}`}${reason === '' ? '' : `: ${reason}`}`,
    period_failed: (title) => `«${title}» no se selló. Sus archivos requieren cambios`,
    item_late: (title) => `Su elemento «${title}» está atrasado`,
    item_sent_back: (title) => `Su elemento «${title}» requiere cambios`,
    item: (title) => `Su elemento «${title}» está por vencer`,
    review: (title, count) => `Respuesta a «${title}»: ${items(count)} por revisar`,
    unanswered: (title, count) =>
      `Respuesta a «${title}»: ${items(count)} sin archivos. Devuelva o marque como no aplicable`,
    overdue: (title) => `La solicitud «${title}» está vencida`,
    due: (title) => `La solicitud «${title}» está por vencer`,
    sent_back: (title, count) =>
      `Solicitud «${title}»: ${counted(count, 'elemento devuelto', 'elementos devueltos')} al proveedor`,
    question: (title, questions) =>
      `Sala «${title}»: ${counted(questions, 'pregunta', 'preguntas')} sin respuesta`,
    draft: (title) => `El borrador «${title}» tiene archivos sin enviar`,
    share: (title) => `El acceso compartido a «${title}» está por caducar`,
    key: (title) => `La clave de API «${title}» está por caducar`,
    name: () => 'Este espacio de trabajo aún no tiene nombre',
    evidence: (_, kits) =>
      `La regla de conservación eliminará las evidencias de ${kits < 1000 ? counted(kits, 'kit', 'kits') : '1000 kits o más'}`,
  },
  more: 'Hay más. Consulte Solicitudes, Envíos y Compartidos.',
  toReview: 'Por revisar',
  recent: 'Envíos recientes',
  first: {
    title: 'Emita su primer kit',
    text: 'Un kit son evidencias con un recibo firmado. Cualquiera puede comprobarlo, con este servicio o sin él.',
    steps: [
      { title: 'Elegir archivos', text: 'Se comprueban en su navegador antes de subir nada.' },
      {
        title: 'Enviar',
        text: 'El servicio los comprueba de nuevo, los sella y emite el kit en segundos.',
      },
      {
        title: 'Compartir el kit',
        text: 'Envíe un enlace. El destinatario no necesita cuenta para comprobarlo y descargarlo.',
      },
    ],
    own: 'Usar mis propios archivos',
    viewer: 'Pida a un miembro o propietario que envíe evidencias: su rol solo permite leer.',
  },
}
