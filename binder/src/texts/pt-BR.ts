import type { BinderTexts } from './en.ts'

export const ptBR: BinderTexts = {
  files: { one: '{count} arquivo', other: '{count} arquivos' },
  fewBytes: { one: '{count} byte', other: '{count} bytes' },
  bytes: '{size} ({count} bytes)',
  more: 'e mais {count}',
  title: 'Dossiê de evidências: {name}',
  header: 'Dossiê de evidências',
  subject: 'Kit {kitId}.',
  cover: 'Capa',
  kicker: 'DOSSIÊ DE EVIDÊNCIAS',
  introduction:
    'Este dossiê é o resumo legível de um kit lacrado: o que ele contém, quem o emitiu e quando, e como verificá-lo. A prova está no próprio kit. Qualquer pessoa pode verificá-lo offline, sem entrar em contato com o emissor.',
  contents: 'Sumário',
  page: 'página {page}',
  facts: {
    kit: 'Kit',
    job: 'Tarefa',
    issued: 'Emitido',
    issuer: 'Emissor',
    key: 'Impressão digital da chave',
    caller: 'Chamador',
    supplierNamed: 'Fornecedor (indicado no kit)',
    supplier: 'Fornecedor',
    requester: 'Solicitante (indicado no kit)',
    workspace: 'Espaço de trabalho',
    name: 'Nome',
    profile: 'Perfil',
    replaces: 'Substitui o kit',
    evidence: 'Evidências',
    format: 'Formato',
  },
  meaning: {
    title: 'O que isto prova e o que não prova',
    proves: 'Um kit que passa na verificação prova',
    proved: [
      'Os arquivos correspondem ao manifesto: cada arquivo tem o hash SHA-256 e o tamanho listados, e nenhum foi acrescentado.',
      'O manifesto corresponde ao recibo.',
      'O ID da chave no recibo corresponde a uma chave pública em que você decidiu confiar.',
      'A assinatura do recibo é verificada com essa chave.',
      'O kit não foi modificado desde que foi emitido.',
    ],
    provesNot: 'Não prova',
    notProved: [
      'Que uma empresa está em conformidade ou é segura.',
      'Que os controles funcionam com eficácia.',
      'Que um comprador, auditor, seguradora, banco, regulador ou prestador de serviços de pagamento aceitou o pacote.',
      'Que as evidências são juridicamente suficientes, ou que o que dizem é verdade.',
    ],
    limits: 'Os limites deste serviço, na íntegra',
    boundary:
      'Este serviço registra as evidências fornecidas e permite que qualquer pessoa confira se um kit é o que foi emitido, por quem e quando. Uma verificação bem-sucedida prova que os arquivos correspondem ao manifesto, que o manifesto corresponde ao recibo, que o ID da chave do recibo corresponde a uma chave pública, que a assinatura do recibo é verificada e que o kit não foi modificado desde a emissão. Não prova a conformidade nem o estado de segurança de uma empresa, que os controles funcionam com eficácia, que um comprador, auditor, seguradora, banco, regulador ou prestador de serviços de pagamento aceitou o pacote, nem que as evidências são juridicamente suficientes. O serviço não certifica, não audita, não dá aprovação jurídica, não oferece seguro nem verifica de forma independente as alegações fornecidas. O cliente continua responsável pelas evidências enviadas.',
  },
  verify: {
    title: 'Como verificar',
    lead: 'Todos os métodos dão o mesmo resultado, PASS ou FAIL. Você precisa do kit: o arquivo kit.zip ou a pasta em que ele é descompactado.',
    browser: 'No navegador',
    browserText:
      'Abra START-HERE.html do kit e solte o kit na página. Funciona offline, e nada sai do seu computador. O emissor pode verificar este kit com as próprias chaves. Confira se este é o endereço que você conhece:',
    command: 'Na linha de comando',
    commandText:
      'Substitua ISSUER pelo endereço do emissor, como você o conhece. O código de saída 0 significa PASS; 1, FAIL; 2, que o kit não pôde ser lido; 3, que o remetente não está confirmado.',
    byHand: 'Manualmente',
    byHandText:
      'O VERIFY.md no kit lista cada passo como um comando, só com ferramentas padrão: sha256sum para os arquivos e openssl para a assinatura. O primeiro passo checa todos os arquivos:',
    key: 'Confirmar a chave do emissor',
    keyText:
      'A verificação mostra que o detentor de uma chave emitiu este kit. Para confirmar que a chave pertence ao emissor, compare a impressão digital uma vez com uma que você recebeu diretamente do emissor, ou com o conjunto de chaves que ele publica em /.well-known/jwks.json. A chave no kit e a impressão digital abaixo não provam isso.',
    qrCode: 'QR code de {address}',
  },
  inventory: {
    title: 'Inventário',
    folders: { one: '{files} em {count} pasta', other: '{files} em {count} pastas' },
    lead: '{count}, {size}. O hash SHA-256 completo está abaixo de cada nome, em tons alternados para facilitar a leitura. O manifest.json no kit lista os mesmos arquivos e os que o serviço acrescentou.',
    shortened: 'Nomes longos são abreviados aqui. O manifest.json os tem por inteiro.',
    columns: { number: 'N.º', name: 'Nome', type: 'Tipo', size: 'Tamanho' },
    topFolder: '(pasta superior)',
    continued: '{folder} (continuação)',
    missing:
      'Uma caixa com dígitos representa um caractere que não existe nas fontes deste dossiê. Os dígitos são o código Unicode dele. O manifest.json tem todos os nomes por inteiro.',
  },
  provenance: {
    title: 'Procedência das evidências',
    lead: 'Só está verificado o que o próprio serviço viu. O que o fornecedor ou um arquivo declara foi registrado, e ninguém o checou. O reports/provenance.json no kit tem tudo.',
    words: { verified: 'verificado', stated: 'declarado' },
  },
  checklist: {
    title: 'Checklist',
    lead: 'Os itens que foram pedidos e os arquivos que alguém colocou ou confirmou neles. O serviço não julga nada.',
    item: 'Item',
    files: 'Arquivos',
    none: 'Sem arquivos',
  },
  findings: {
    title: 'Achados',
    lead: {
      one: 'O serviço notou {count} achado nos arquivos. Ele não impediu a emissão do kit. O reports/intake_report.json no kit o lista.',
      other:
        'O serviço notou {count} achados nos arquivos. Nenhum impediu a emissão do kit. O reports/intake_report.json no kit lista todos.',
    },
    acknowledged: 'Reconhecidos pelo fornecedor',
    notices: 'Avisos',
    allFiles: 'Todos os arquivos',
  },
}
