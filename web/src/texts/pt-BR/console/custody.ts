import type { custody as english } from '../../en/console/custody.ts'
import { counted } from '../words.ts'

export const custody: typeof english = {
  title: 'Bloqueio legal e exclusão',
  lead: 'Um bloqueio legal impede que as evidências sejam excluídas, pela regra de retenção ou por qualquer pessoa.',
  leadHeld: 'As evidências são mantidas até que o bloqueio seja liberado.',
  hold: 'Aplicar um bloqueio legal',
  release: 'Liberar o bloqueio',
  delete: 'Excluir as evidências',
  reason: 'Motivo',
  reasonExample: 'Processo 2026-17',
  held: (day) => `Sob bloqueio legal desde ${day}`,
  erased: (day, by) => `Evidências apagadas em ${day} ${by}`,
  byRule: (rule) => `pela regra de retenção: ${rule}`,
  byOrder: (who) => `por ordem de ${who.replace(/^member:/, 'membro ').replace(/^key:/, 'chave de API ')}`,
  erasedText: (files, size) =>
    `${counted(files, 'arquivo excluído', 'arquivos excluídos')} (${size}). O manifesto, o recibo e a prova do log permanecem, e um registro de eliminação assinado diz o que foi excluído.`,
  dialogs: {
    hold: {
      title: 'Aplicar um bloqueio legal?',
      text: 'Ninguém pode excluir as evidências até que o bloqueio seja liberado. O log de auditoria registra o bloqueio e o motivo.',
      action: 'Aplicar o bloqueio',
    },
    release: {
      title: 'Liberar o bloqueio legal?',
      text: 'A regra de retenção volta a valer, e os proprietários podem excluir as evidências.',
      action: 'Liberar o bloqueio',
    },
    delete: {
      title: 'Excluir as evidências?',
      text: 'Isso não pode ser desfeito. O manifesto e o recibo de um kit emitido permanecem, com um registro assinado da exclusão. Kits que outros baixaram ainda podem ser verificados.',
      action: 'Excluir as evidências',
    },
  },
}
