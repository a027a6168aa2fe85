import type { PageTexts } from './en.ts'

export const ptBR: PageTexts = {
  title: 'Este kit é autêntico?',
  language: 'Idioma',
  skip: 'Ir para o kit',
  intro:
    'Um kit de evidências contém arquivos que alguém forneceu como evidência, lacrados por um emissor para que qualquer alteração apareça.',
  named: 'Este indica *ISSUER* como emissor, mas qualquer pessoa pode escrever esse nome.',
  how: 'Solte o kit abaixo, e esta página checa todos os arquivos dele. Depois, ela ajuda você a descobrir se o emissor realmente o lacrou. Nenhum upload é feito: esta página funciona offline.',
  ownKeys: 'Os kits são checados com as chaves que *OWN* publica.',
  oldBrowser:
    'Este navegador não oferece suporte a assinaturas Ed25519, por isso todo kit falha aqui. Use uma versão atual do Chrome, Edge, Firefox ou Safari.',
  kit: 'Kit',
  drop: 'Solte o kit aqui: o *arquivo zip* como você o recebeu, ou a *pasta* em que o descompactou.',
  chooseZip: 'Escolher o arquivo zip…',
  chooseFolder: 'Escolher a pasta…',
  whyChoose:
    'Os navegadores não deixam uma página abrir a pasta em que está, por isso você precisa escolhê-la. Se o navegador perguntar se deve “fazer upload” dos arquivos, significa que esta página poderá lê-los.',
  progress: 'Progresso',
  checking: 'Checando',
  stop: 'Parar',
  trust: 'Posso confiar nesta página?',
  trustText:
    'Esta página faz as mesmas checagens que o serviço e a linha de comando. Mas quem falsifica um kit também pode alterar a página dentro dele. Se o resultado for importante, abra /verify no site do emissor, em um endereço que você conhece, ou execute `kitseal verify`.',
  byHand: 'O VERIFY.md de cada kit explica como verificá-lo com sha256sum e openssl.',
}
