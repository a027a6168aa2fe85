import type { pages as english } from '../en/pages.ts'
import { number } from './words.ts'

export const pages: typeof english = {
  frame: {
    name: 'kitseal',
    home: 'Página inicial do kitseal',
    skip: 'Ir para o conteúdo',
    navigation: 'Principal',
    verify: 'Verificar',
    docs: 'Docs',
    console: 'Console',
    language: 'Idioma',
    documentTitle: (title) => (title === '' ? 'kitseal' : `${title} · kitseal`),
  },
  copy: {
    copyWhat: (what) => `Copiar ${what}`,
    copied: 'Copiado',
    failed: 'O navegador bloqueou a cópia. Selecione o texto e copie manualmente.',
  },
  problem: {
    offline: 'Não foi possível acessar o serviço. Confira sua conexão e tente de novo.',
    unexpected: 'Resposta inesperada do serviço. Recarregue a página e tente de novo.',
    retry: 'Tentar de novo',
    title: 'Algo deu errado',
    crashed:
      'Esta página travou. Recarregue-a para continuar. Os arquivos com upload concluído não se perdem.',
    reload: 'Recarregar',
  },
  colon: ': ',
  loading: 'Carregando',
  showAll: (count) => `Mostrar todos (${number(count)})`,
  home: {
    title: '',
    heading: 'Suas evidências em kits que revelam adulterações',
    lead: 'Faça upload de evidências e receba um kit assinado. Qualquer pessoa pode verificá-lo: no navegador, na linha de comando ou manualmente, com ou sem este serviço.',
    verifyAction: 'Verificar um kit',
    consoleAction: 'Abrir o console',
    steps: [
      {
        title: 'Faça upload das evidências',
        text: 'Arquivos, pastas ou um arquivo zip. Cada arquivo é checado. Os problemas aparecem juntos, cada um com a solução.',
      },
      {
        title: 'Receba um kit',
        text: 'Seus arquivos com os hashes, um manifesto, um recibo assinado com Ed25519, um dossiê para ler e imprimir e um verificador offline.',
      },
      {
        title: 'Qualquer pessoa pode verificar',
        text: 'Se um byte mudar, um arquivo for incluído ou removido, ou a chave não for nossa, a verificação falha e diz por quê.',
      },
    ],
    proves: 'O que “Verificado” prova',
    provesList: [
      'Os arquivos correspondem ao manifesto, byte a byte.',
      'O manifesto corresponde ao recibo.',
      'O recibo indica uma chave pública deste serviço.',
      'A assinatura do recibo é válida.',
      'Portanto, o kit não mudou desde que foi emitido.',
    ],
    provesNot: 'O que “Verificado” não prova',
    provesNotList: [
      'Que uma organização está em conformidade ou é segura.',
      'Que os controles são eficazes.',
      'Que um comprador, auditor, seguradora, banco ou regulador aceitou as evidências.',
      'Que as evidências são verdadeiras ou suficientes. O fornecedor é responsável pelo conteúdo.',
    ],
    keys: {
      title: 'Chaves de assinatura deste serviço',
      lead: 'O ID da chave é a impressão digital de uma chave. Antes de confiar nela, compare o ID com o que o emissor lhe passou por outro canal.',
      kid: 'ID da chave',
      since: 'Desde',
      status: 'Status',
      issuer: 'Emissor',
      statuses: {
        active: 'Ativa',
        retired: (until) => `Desativada em ${until}. Os recibos dela continuam válidos.`,
        revoked: (heading) =>
          `${heading}. Kits assinados com ela não passam mais na verificação. Peça ao fornecedor kits reemitidos.`,
      },
      unavailable: 'Não foi possível carregar as chaves.',
      none: 'Este serviço ainda não tem chave de assinatura.',
      file: 'Conjunto de chaves (jwks.json)',
    },
    offline: {
      title: 'Verificar na linha de comando',
      text: 'As mesmas checagens, com as chaves deste serviço:',
      command: (origin) => `kitseal verify kit.zip --issuer ${origin}`,
      more: 'Todo kit também contém START-HERE.html, que o verifica offline no navegador, e VERIFY.md, que explica como verificá-lo com sha256sum e openssl.',
      what: 'comando',
    },
    links: {
      title: 'Para desenvolvedores',
      docs: 'Documentação',
      openapi: 'Descrição OpenAPI (openapi.json)',
      log: 'Log de transparência',
    },
  },
  notFound: {
    title: 'Página não encontrada',
    text: 'Não há nenhuma página neste endereço.',
    action: 'Ir para a página inicial',
  },
}
