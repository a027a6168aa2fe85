import type { share as english } from '../en/share.ts'
import { counted } from './words.ts'

export const share: typeof english = {
  title: 'Kit compartilhado',
  sharedBy: (who) => `Compartilhado por ${who}.`,
  verifies: 'Seu navegador o verifica.',
  downloadKit: (size) => `Baixar o kit, ${size}`,
  aboutKit: 'Sobre este kit',
  aboutFiles: 'Sobre estes arquivos',
  facts: {
    issuer: 'Emissor',
    supplier: 'Fornecedor',
    requester: 'Solicitante',
    name: 'Nome',
    issued: 'Emitido',
    expires: 'O link expira',
    downloadsLeft: 'Visitas restantes, incluindo esta',
    kitId: 'ID do kit',
  },
  unknownSupplier: 'não informado',
  files: (count) => counted(count, 'arquivo', 'arquivos'),
  otherFiles: (count) =>
    `${counted(count, 'outro arquivo', 'outros arquivos')}: manifesto, recibo, dossiê, verificador…`,
  how: 'Como foi checado',
  notYet: 'Ainda não verificado',
  large: 'A verificação lê o kit inteiro. O navegador precisa da mesma quantidade de memória livre.',
  verifyNow: (size) => `Verificar ${size}`,
  notVerified: 'Não foi possível verificar',
  checkingFiles: (done, all) => `Verificando ${done} de ${counted(all, 'arquivo', 'arquivos')}…`,
  filesVerified: (count) => counted(count, 'arquivo verificado', 'arquivos verificados'),
  filesVerifiedText: (key) =>
    `Cada arquivo está inalterado e pertence a um kit assinado com ${key}. Os outros arquivos do kit não são compartilhados.`,
  erased: (day) => `Os arquivos foram excluídos em ${day}`,
  erasedText:
    'O serviço não tem mais os arquivos deste kit. Se você tem uma cópia, ela ainda pode ser verificada.',
  exhausted: 'Se precisar dos arquivos de novo, peça ao remetente que aumente o limite.',
  keyRevoked: (day) => `Chave de assinatura revogada em ${day}`,
  keyRevokedText:
    'O emissor não responde mais por assinaturas feitas com esta chave. Peça ao remetente um kit reemitido.',
  yourself: 'Confira você mesmo',
  yourselfKit: (keys) => `Baixe o kit e ${keys}. Depois verifique-o sem este serviço:`,
  yourselfFiles: (keys) => `Baixe um arquivo, sua prova e ${keys}. Depois verifique-os sem este serviço:`,
  command: 'comando',
  password: {
    title: 'É necessária uma senha',
    lead: 'O remetente protegeu este compartilhamento com uma senha.',
    label: 'Senha',
    open: 'Abrir',
  },
}
