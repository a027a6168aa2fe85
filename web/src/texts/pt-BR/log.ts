import type { log as english } from '../en/log.ts'

export const log: typeof english = {
  title: 'Log de transparência',
  lead: 'Cada recibo e cada mudança de uma chave de assinatura é uma entrada deste log. As entradas nunca são alteradas nem removidas, e qualquer pessoa pode conferir isso.',
  unavailable: 'Não foi possível carregar o log.',
  notSigned: 'O checkpoint não está assinado com a chave deste log. Não confie nele.',
  frozenTitle: 'O log está congelado',
  frozen: (since) =>
    `Nada foi acrescentado desde ${since}, porque antes é preciso ter certeza de que o log está completo. O que foi emitido antes continua válido.`,
  checkpoint: 'Checkpoint mais recente',
  size: 'Entradas',
  last: 'Última entrada',
  origin: 'Nome',
  root: 'Hash raiz',
  key: 'Chave do log',
  signature: 'Assinatura',
  signed: 'Válida, conferida neste navegador',
  unsigned: 'Inválida',
  witnesses: {
    title: 'Testemunhas',
    lead: 'Terceiros independentes que conferem se o log apenas cresce e coassinam seus checkpoints. Obtenha as chaves com eles, não aqui.',
    none: 'Nenhuma testemunha coassina este log. Só quem o monitora perceberia uma alteração.',
    name: 'Testemunha',
    key: 'Chave',
    seen: 'Coassinado',
    notYet: 'Ainda não',
  },
  monitor: {
    title: 'Monitorar',
    text: 'Este comando confere o que há de novo e se nada foi alterado ou removido. Execute-o a cada poucos minutos, em uma máquina sua:',
    command: (issuer) => `kitseal monitor ${issuer}`,
    what: 'comando',
    guide: 'Configurar um monitor em cinco minutos',
    files: 'Para outros programas, nos formatos do C2SP:',
  },
}
