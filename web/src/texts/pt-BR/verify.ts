import type { verify as english } from '../en/verify.ts'
import { counted } from './words.ts'

export const verify: typeof english = {
  title: 'Verificar um kit',
  lead: 'A verificação acontece no seu navegador, com as chaves que este site publica para os próprios kits ou com chaves que você fornecer. Nenhum upload é feito.',
  dropTitle: 'Solte aqui um kit.zip, a pasta de um kit descompactado ou um receipt.json',
  dropHint: 'Seus arquivos não saem deste computador.',
  chooseFile: 'Escolher um arquivo…',
  chooseFolder: 'Escolher uma pasta…',
  oneAtATime: 'Há mais de um recibo. Escolha um único kit ou um único receipt.json.',
  unreadable: (why) => `Não foi possível ler (${why}). Tente com o kit.zip.`,
  oldBrowser:
    'Este navegador não oferece suporte a assinaturas Ed25519, por isso todo kit falha aqui. Use uma versão atual do Chrome, Edge, Firefox ou Safari, via HTTPS ou em localhost.',
  keysTitle: (count) => `${counted(count, 'chave pública', 'chaves públicas')} deste site`,
  keysMissing: 'Não é possível verificar: as chaves públicas deste serviço não puderam ser carregadas.',
  working: (name) => `Verificando ${name}`,
  progress: (done, all) => `${done} de ${all}`,
  askIssuer: 'Você sabe que este endereço é o do emissor? Então confira lá:',
  stop: 'Parar',
  stopped: 'Interrompido. Nada foi verificado.',
  failed: (why) => `A verificação não terminou; portanto, nada foi verificado: ${why}`,
  named: {
    title: 'Verificar este kit',
    lead: 'Esta página é de um único kit. Solte a sua cópia para compará-la com o que foi emitido. Nenhum upload é feito.',
    about: 'Kit',
    kitId: 'ID do kit',
    loading: 'Carregando o recibo',
    known: 'Recibo público',
    hashes: 'Hashes',
    unknownTitle: 'Sem recibo público',
    unknown:
      'Este serviço não tem este kit, ou o espaço de trabalho o mantém privado. Mesmo assim, você pode verificar a sua cópia.',
    invalid: 'O ID do kit neste link não é válido. Deve ser “kit_” seguido de 22 caracteres ou mais.',
    erased: (day, by) => `Evidências apagadas em ${day} ${by}`,
    erasedByRule: (rule) => `pela regra de retenção: ${rule}`,
    erasedByOrder: 'por ordem do proprietário',
    erasedText:
      'O serviço não tem mais os arquivos deste kit. Se você tem uma cópia, ela ainda pode ser verificada. O registro de eliminação é assinado pelo emissor.',
    agree: (host) => `O recibo está assinado com uma chave que este site, ${host}, publica.`,
    dropTitle: 'Solte aqui o seu kit.zip ou a pasta do kit descompactado',
  },
}
