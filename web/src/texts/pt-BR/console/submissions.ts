import type { submissions as english } from '../../en/console/submissions.ts'
import { counted, number } from '../words.ts'

const files = (count: number): string => counted(count, 'arquivo', 'arquivos')
const sent = (count: number): string => counted(count, 'envio', 'envios')

export const submissions: typeof english = {
  list: {
    lead: 'Evidências enviadas por este espaço de trabalho. Esta lista se atualiza sozinha.',
    new: 'Novo envio',
    search: 'Buscar',
    searchPlaceholder: 'Nome, arquivo, tag ou ID',
    status: 'Status',
    anyStatus: 'Qualquer status',
    statuses: {
      PENDING: 'Pendente',
      RUNNING: 'Em checagem',
      PASS: 'Lacrado',
      FAIL: 'Requer alterações',
      EXPIRED: 'Expirado',
    },
    sort: 'Ordenar por',
    sorts: {
      '-created_at': 'Mais recentes primeiro',
      created_at: 'Mais antigos primeiro',
      label: 'Nome, de A a Z',
      '-label': 'Nome, de Z a A',
      '-size_bytes': 'Maiores primeiro',
      size_bytes: 'Menores primeiro',
    },
    moreFilters: 'Mais filtros',
    fewerFilters: 'Menos filtros',
    clearFilters: 'Limpar filtros',
    filters: {
      path: 'Nome do arquivo',
      pathExample: 'folha',
      tag: 'Tag',
      series: 'Série',
      external_id: 'ID externo',
      created_after: 'Criado a partir de',
      created_before: 'Criado antes de',
    },
    withTag: (tag) => `Mostrar envios com a tag ${tag}`,
    inSeries: (series) => `Série: ${series}`,
    reissued: 'Reemitido',
    searchFurther: 'Buscar em envios mais antigos',
    shown: (count) => counted(count, 'envio mostrado', 'envios mostrados'),
    columns: {
      select: 'Selecionar',
      label: 'Nome',
      status: 'Status',
      files: 'Evidências',
      sender: 'Remetente',
      created: 'Criado',
    },
    noSender: 'Fornecedor, por link',
    selectAll: 'Selecionar todos os mostrados',
    select: (label) => `Selecionar ${label}`,
    bulk: {
      selected: (count) => counted(count, 'selecionado', 'selecionados'),
      download: 'Baixar kits',
      tag: 'Adicionar tag',
      remove: 'Excluir',
      clear: 'Limpar seleção',
      tagTitle: (count) => `Adicionar uma tag a ${sent(count)}`,
      tagLabel: 'Tag',
      tagHint: 'Até 50 caracteres, sem vírgulas.',
      removeTitle: (count) => `Excluir ${sent(count)}?`,
      removeText:
        'Rascunhos são removidos. As evidências dos kits são excluídas em até uma hora; os manifestos e recibos permanecem. Isso não pode ser desfeito.',
      failed: (count, of) => `Não foi possível alterar ${number(count)} de ${sent(of)}:`,
    },
    none: {
      title: 'Ainda não há envios',
      text: 'Faça upload de evidências e receba um kit que qualquer pessoa pode verificar.',
    },
    noMatch: {
      title: 'Nenhum resultado',
      text: 'As palavras são comparadas desde o início: “fol” encontra “folha”. Tente menos palavras ou filtros.',
    },
  },
  timeline: {
    title: 'Linha do tempo',
    received: (count) => `Upload de ${files(count)}`,
    actions: {
      'submission.created': 'Criado',
      'submission.changed': 'Tags ou metadados alterados',
      'submission.resubmitted': 'Arquivos reutilizados em um novo envio',
      'submission.reissued': 'Kit reemitido',
      'submission.sealed': 'Enviado, sem mais uploads',
      'submission.started': 'Checagem iniciada',
      'submission.passed': 'Lacrado, kit emitido',
      'submission.failed': 'Requer alterações',
      'submission.held': 'Bloqueio legal aplicado',
      'submission.released': 'Bloqueio legal liberado',
      'submission.erased': 'Evidências excluídas a pedido',
      'submission.deleted': 'Excluído',
      'submission.expired': 'Rascunho expirou',
    },
    by: (actor, name) => {
      if (actor === 'service') return 'pelo serviço'
      if (actor === 'operator') return 'pelo operador'
      if (actor === 'link') return 'com um link de compartilhamento ou de solicitação'
      if (actor === 'anonymous') return 'com um link público'
      if (actor === 'key') return name === null ? 'com uma chave de API' : `com a chave de API “${name}”`
      return `por ${name ?? 'um membro'}`
    },
  },
  submission: {
    id: 'ID do envio',
    missing: {
      title: 'Envio não encontrado',
      text: 'Não está neste espaço de trabalho. Confira o link ou mude para o espaço de trabalho ao qual ele pertence.',
    },
    earlier: 'um envio anterior',
    newer: 'um novo envio',
    resubmittedFrom: 'Reutiliza arquivos de',
    resubmittedAs: 'Enviado de novo como',
    waiting: {
      queued: { title: 'Na fila', text: 'A checagem começa em breve. Esta página se atualiza sozinha.' },
      running: {
        title: 'Em checagem',
        text: 'Cada arquivo é checado; depois, o kit é lacrado e verificado. Esta página se atualiza sozinha.',
      },
    },
    draft: {
      unfinished: {
        title: 'Uploads não concluídos',
        text: 'Para continuar um upload, escolha o mesmo arquivo de novo. Exclua o que não precisar e depois envie.',
        progress: (done, all) => `Upload feito: ${done} de ${all}`,
        remove: 'Excluir',
      },
      title: 'Ainda não enviado',
      text: 'Escolha arquivos abaixo e depois envie.',
      withFiles:
        'O upload dos arquivos abaixo já foi feito. Adicione os que faltam ou foram corrigidos e depois envie. O perfil é checado após o upload.',
      there: (count) => `Upload já feito: ${files(count)}`,
      delete: {
        action: 'Excluir rascunho',
        title: 'Excluir este rascunho?',
        text: 'Os arquivos com upload concluído são excluídos. Isso não pode ser desfeito.',
      },
    },
    fail: {
      word: 'Requer alterações',
      sentence: (blockers) => `Há ${blockers}. Nenhum kit foi emitido.`,
      report: 'fail_report.json',
      fixTitle: 'Arquivos a manter',
      fixText:
        'Selecione os arquivos a manter. Eles são copiados para um novo envio, onde você pode adicionar os corrigidos.',
      good: 'sem impedimentos',
      bad: 'tem impedimentos',
      notListed: 'nenhum impedimento listado',
      fix: 'Corrigir e enviar de novo',
      keeps: (kept, all) =>
        `Mantém ${number(kept)} de ${files(all)}. Em seguida, você adiciona os corrigidos.`,
    },
    kit: {
      unpacked: (uploaded, inKit) =>
        `Upload de ${files(uploaded)}, ${files(inKit)} no kit: arquivos ZIP são descompactados.`,
      expiredWord: 'Expirado',
      sentence: 'O kit foi emitido. Qualquer pessoa pode verificá-lo, com ou sem este serviço.',
      expired:
        'As evidências foram excluídas. O manifesto e o recibo permanecem. Cópias do kit ainda podem ser verificadas.',
      downloadKit: 'Baixar kit.zip',
      verify: 'Verificar neste navegador',
      verifyText: 'Baixa o kit e o verifica aqui com as chaves publicadas.',
      notFetched: (status) => `Não foi possível baixar o kit (HTTP ${status}). Tente de novo.`,
      parts: 'Partes do kit',
      tabs: { evidence: 'Evidências', binder: 'Dossiê', deliverables: 'Downloads', details: 'Detalhes' },
      allFiles: 'Todos os arquivos do kit',
      issued: 'Emitido',
      facts: {
        kit: 'ID do kit',
        supplier: 'Fornecedor (indicado no kit)',
        supplierByLink: 'Fornecedor',
        requester: 'Solicitante (indicado no kit)',
        issued: 'Emitido',
        key: 'ID da chave',
        manifest: 'SHA-256 do manifesto',
        root: 'Hash raiz',
        receipt: 'SHA-256 do recibo',
        zip: 'SHA-256 de kit.zip',
        size: 'Tamanho',
        sizeValue: (count, size) => `${size}, ${files(count)} incluindo os adicionados pelo serviço`,
        page: 'Página de verificação',
      },
      log: {
        place: 'No log',
        position: (index, origin, size) => `Entrada ${number(index + 1)} de ${number(size)} em ${origin}`,
        proof: 'Baixar a prova mais recente do log',
        witnesses: 'Testemunhas',
        cosigned: (name, at) => `${name}, ${at}`,
        none: 'Nenhuma testemunha o confirmou ainda',
      },
      binderHint: 'O dossiê é um PDF para ler e imprimir.',
      binderAlone: 'Abrir em outra aba',
      deliverables: {
        'kit.zip': 'O kit completo: evidências, documentos e verificador',
        'manifest.json': 'Lista de todos os arquivos com seus hashes',
        'receipt.json': 'Recibo assinado',
        'receipt.canonical.json': 'Os bytes exatos que foram assinados',
        'receipt.sig': 'Assinatura Ed25519, 64 bytes',
        'jwks.json':
          'Cópia das chaves públicas, por conveniência. Obtenha as chaves confiáveis com o emissor.',
        'binder.pdf': 'Dossiê, para ler e imprimir',
        'VERIFY.md': 'Como verificar o kit',
        'reports/intake_report.json': 'O que foi recebido e o resultado das checagens',
        'reports/classification_report.json': 'O tipo de cada arquivo',
        'reports/provenance.json': 'Procedência das evidências, verificada e declarada',
        'reports/reissue.json': 'O kit que este substitui, e por quê',
        'reports/program.json': 'Os itens do período, seus status e seus arquivos',
        'reports/series.json': 'O kit anterior da série e as diferenças',
      },
    },
  },
  inventory: {
    path: 'Arquivo',
    sha256: 'SHA-256',
    size: 'Tamanho',
    hashOf: (name) => `SHA-256 de ${name}`,
    kinds: {
      evidence: 'Evidências',
      binder: 'Dossiê',
      report: 'Relatórios',
      guide: 'Guia de verificação',
      verifier: 'Verificador',
      bag: 'Arquivos BagIt',
      envelope: 'Envelope (manifesto, recibo, assinatura, chaves)',
    },
  },
}
