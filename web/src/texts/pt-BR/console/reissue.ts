import type { reissue as english } from '../../en/console/reissue.ts'
import { counted, number } from '../words.ts'

export const reissue: typeof english = {
  banner: {
    title: (kits, date) =>
      `${counted(kits, 'kit foi assinado', 'kits foram assinados')} com uma chave que foi revogada em ${date}`,
    text: (heading) =>
      `Quem os verifica vê “${heading}”. Reemita-os: você recebe novos kits com as mesmas evidências, assinados com a chave atual. Envie os novos kits a todos que têm os antigos.`,
    compromised: (date) =>
      `A chave pode ter estado em outras mãos desde ${date}. Kits registrados antes no log ainda passam na verificação de quem confere a hora com testemunhas ou carimbos do tempo.`,
    action: (kits) => (kits === 1 ? 'Reemitir o kit' : `Reemitir todos os ${number(kits)} kits`),
    progress: (done) => `${counted(done, 'kit reemitido', 'kits reemitidos')}…`,
  },
  kit: {
    revoked: 'Quem verifica este kit vê as mesmas palavras. As evidências continuam armazenadas.',
    reissue: 'Reemita-o: você recebe um novo kit com as mesmas evidências, assinado com a chave atual. ',
    askOwner: 'Peça a um proprietário que o reemita.',
    replaced: 'O kit foi reemitido. Envie o novo kit a todos que têm este.',
    expired:
      'As evidências foram excluídas ao fim do prazo de retenção; por isso, o kit não pode ser reemitido. Envie as evidências de novo.',
    action: 'Reemitir kit',
  },
  replaces: 'Substitui o kit de',
  replacedBy: 'Substituído por',
}
