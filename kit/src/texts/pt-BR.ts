import type { KitTexts } from './en.ts'

export const ptBR: KitTexts = {
  boundary:
    'Apenas evidência de integridade e de emissão. Não constitui auditoria, certificação nem garantia de conformidade.',
  verdicts: {
    verified: {
      heading: 'Verificado',
      advice: 'Os arquivos estão inalterados, e o recibo está assinado com KEY.',
    },
    sender_unconfirmed: {
      heading: 'Arquivos intactos. Remetente ainda não confirmado.',
      advice:
        'Qualquer pessoa pode criar um kit que indique este emissor. Obtenha o conjunto de chaves do emissor em um site que você sabe que é dele, ou compare o ID da chave com um que você recebeu de outra forma.',
    },
    signer_unknown: {
      heading: 'Não assinado pelo emissor que ele indica',
      advice:
        'O emissor pode ter uma chave nova, ou outra pessoa criou este kit. Compare as chaves do emissor, em um endereço que você já conhece: kitseal trust add ISSUER',
    },
    key_revoked: {
      heading: 'Chave de assinatura revogada em DATE',
      advice: 'Não confie nele. Peça ao fornecedor um kit reemitido, assinado com uma chave atual.',
    },
    altered: {
      heading: 'Alterado desde que foi emitido',
      advice: 'Não confie nele. Peça o original ao emissor.',
    },
    unreadable: {
      heading: 'Não é um kit legível',
      advice: 'Confira se você tem o arquivo completo e peça ao remetente que o envie de novo.',
    },
  },
  keyRevoked: 'Chave de assinatura revogada',
  notLogged:
    'A assinatura é do emissor, mas a prova do log ou a hora dela não atende à sua política. Peça ao emissor uma prova mais recente do log e pergunte se ele emitiu este kit.',
  keys: {
    kit: 'a chave que veio no próprio kit, portanto qualquer pessoa pode tê-lo criado',
    none: 'uma chave que não está confirmada',
    given: 'a chave que você forneceu',
    pinned: 'a chave que você fixou',
    pinnedOn: 'a chave que você fixou em {day}',
    notCompared: 'a chave que {host} publica hoje; não comparada antes',
    confirmed: 'a chave que {host} publica hoje; você a confirmou em {day}',
    firstUse: 'a chave que {host} publica hoje; a mesma do seu primeiro uso em {day}',
    site: 'a chave que este site, {host}, publica',
  },
  names: {
    named: 'indicado no kit',
    operator: 'confirmado pelo operador de {host}',
    own: 'segundo o próprio espaço de trabalho',
  },
  anonymous: 'Chamador anônimo. O nome é um texto do próprio chamador. Nenhum arquivo foi fornecido.',
  byLink: 'Alguém com o link de uma solicitação (não verificado)',
  checks: {
    kit_reads_in_one_way: 'O arquivo compactado é bem formado e não é ambíguo',
    files_match_manifest: 'Todos os arquivos do manifesto estão presentes e inalterados',
    nothing_was_added: 'O kit não contém arquivos fora do manifesto',
    manifest_matches_receipt: 'O manifesto corresponde ao recibo',
    receipt_is_whole: 'O recibo é bem formado e corresponde ao próprio hash',
    envelope_agrees: 'Os arquivos de recibo, assinatura e conjunto de chaves são coerentes',
    key_id_matches_public_key: 'O ID da chave do recibo corresponde a uma chave pública',
    key_was_alive: 'A chave de assinatura estava ativa quando o recibo foi emitido',
    signature_verifies: 'A assinatura Ed25519 do recibo é válida',
    signer_is_trusted: 'A chave de assinatura é conhecida por um meio externo ao kit',
    receipt_is_logged: 'O recibo está em um log cuja chave é conhecida por um meio externo ao kit',
    log_is_witnessed: 'O log e suas testemunhas atendem à sua política',
    time_is_confirmed: 'Testemunhas ou um carimbo do tempo confirmam a hora do recibo',
    file_matches_proof: 'O arquivo pertence ao kit para o qual o recibo foi emitido',
  },
  provenance: {
    headings: {
      verified: 'Verificado por {host}',
      unconfirmed: 'Indicado no kit, não confirmado',
      supplier: 'Declarado pelo fornecedor, não verificado',
      files: 'Declarado pelos arquivos, não verificado',
    },
    allFiles: 'Todos os arquivos',
    andMore: '{first} e mais {more}',
    ciRun: 'execução de CI',
    ciRunOf: 'execução de CI de {repository}',
    workflow: 'workflow {name}',
    run: 'execução {run}',
    attempt: 'execução {run}, tentativa {attempt}',
    commit: 'commit {commit}',
    token: 'token de {issuer}',
    uploaded: 'upload em {time}',
    routes: { browser: 'no navegador', api: 'pela API', request_link: 'pelo link de uma solicitação' },
    resumable: '{route} (retomável)',
    key: 'chave {name}',
    member: 'membro {id}',
    link: 'link {id}',
    byService: 'escrito pelo serviço em {time}',
    confirmedAddress: 'enviado por {address}, endereço confirmado em {time}',
    sentBy: 'enviado por {name}',
    uploadedWith: 'upload com {program}',
    collectedWith: 'coletado com {program}',
    command: 'comando {command}',
    collected: 'coletado em {time}',
    period: 'período de {from} a {to}',
    system: 'sistema {system}',
    query: 'consulta {query}',
  },
}
