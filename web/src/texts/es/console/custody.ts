import type { custody as english } from '../../en/console/custody.ts'
import { counted } from '../words.ts'

export const custody: typeof english = {
  title: 'Retención legal y eliminación',
  lead: 'Una retención legal impide que las evidencias se eliminen, ya sea por la regla de conservación o por cualquier persona.',
  leadHeld: 'Las evidencias se conservan hasta que se levante la retención.',
  hold: 'Imponer una retención legal',
  release: 'Levantar la retención',
  delete: 'Eliminar las evidencias',
  reason: 'Motivo',
  reasonExample: 'Expediente 2026-17',
  held: (day) => `Bajo retención legal desde el ${day}`,
  erased: (day, by) => `Evidencias borradas el ${day} ${by}`,
  byRule: (rule) => `por la regla de conservación: ${rule}`,
  byOrder: (who) => `por orden de ${who.replace(/^member:/, 'miembro ').replace(/^key:/, 'clave de API ')}`,
  erasedText: (files, size) =>
    `${counted(files, 'archivo eliminado', 'archivos eliminados')} (${size}). Se conservan el manifiesto, el recibo y la prueba de registro, y un acta de borrado firmada indica qué se eliminó.`,
  dialogs: {
    hold: {
      title: '¿Imponer una retención legal?',
      text: 'Nadie puede eliminar las evidencias hasta que se levante la retención. El registro de auditoría anota la retención y su motivo.',
      action: 'Imponer la retención',
    },
    release: {
      title: '¿Levantar la retención legal?',
      text: 'La regla de conservación se aplica de nuevo, y los propietarios pueden eliminar las evidencias.',
      action: 'Levantar la retención',
    },
    delete: {
      title: '¿Eliminar las evidencias?',
      text: 'Esto no se puede deshacer. El manifiesto y el recibo de un kit emitido se conservan, con un acta firmada de la eliminación. Los kits que otros descargaron se pueden seguir verificando.',
      action: 'Eliminar las evidencias',
    },
  },
}
