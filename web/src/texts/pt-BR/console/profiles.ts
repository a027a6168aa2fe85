import type { profiles as english } from '../../en/console/profiles.ts'
import { counted } from '../words.ts'

const OR = new Intl.ListFormat('pt-BR', { type: 'disjunction' })

export const profiles: typeof english = {
  checklist: {
    title: (met, required) =>
      `Checklist: ${met} de ${counted(required, 'item obrigatório', 'itens obrigatórios')}`,
    states: {
      met: 'Feito',
      suggested: 'A confirmar',
      missing: 'Faltando',
      optional: 'Opcional',
      open: 'A fazer',
    },
    suggestion: (name) => `Sugerido pelo nome: ${name}`,
    confirm: 'Confirmar',
    confirmAs: (name, item) => `que ${name} é para ${item}`,
    example: (name) => `Por exemplo, ${name}`,
    wanted: (types, days) => {
      const kinds = OR.format(types)
      if (days === undefined) return `${kinds}.`
      const age = `de no máximo ${counted(days, 'dia', 'dias')} atrás`
      return `${kinds === '' ? `Arquivos ${age}` : `${kinds}, ${age}`}. Coloque a data no nome: 2026-09-30.`
    },
    choose: 'Escolher arquivos',
  },
  profiles: {
    lead: 'Um perfil é um checklist do que as evidências para uma finalidade devem conter.',
    new: 'Novo perfil',
    copy: 'Copiar',
    edit: 'Editar',
    remove: 'Excluir',
    removeTitle: (title) => `Excluir ${title}?`,
    removeText: 'Novos envios não poderão mais usá-lo. Os existentes o mantêm.',
    columns: { title: 'Perfil', items: 'Itens', source: 'Origem', actions: 'Ações' },
    sources: { service: 'kitseal', workspace: 'Este espaço de trabalho' },
    items: (count) => counted(count, 'item', 'itens'),
    preview: 'Prévia',
    save: 'Salvar',
    name: 'Nome para a API',
    nameHint: 'Letras minúsculas, dígitos e hifens. Não pode ser alterado depois.',
    titleField: 'Título',
    description: 'Descrição',
    item: (index) => `Item ${index + 1}`,
    itemTitle: 'O que é',
    itemDescription: 'O que fornecer',
    itemExample: 'Exemplo de nome de arquivo',
    itemControls: 'Controles',
    itemTypes: 'Tipos de arquivo',
    anyType: 'Qualquer tipo',
    itemAge: 'Idade máxima',
    anyAge: 'Qualquer idade',
    days: ' dias',
    itemPaths: 'Nomes de arquivo que contam',
    itemPathsHint:
      'Opcional. Um * representa qualquer texto, como em users-*.csv. Arquivos soltos no item sempre contam.',
    itemCount: 'Número de arquivos',
    policy: {
      title: 'Regras',
      examinedOnly: 'Aceitar só arquivos que o serviço consegue examinar',
      examinedOnlyHint: 'Outros arquivos fazem o envio falhar em vez de serem aceitos como estão.',
      strict: 'Achados que sempre fazem o envio falhar',
      strictHint: 'Caso contrário, o fornecedor pode reconhecê-los, ou eles são apenas mencionados.',
      strictNone: 'Nenhum além das regras para todas as evidências',
    },
    itemId: 'ID (nome da pasta)',
    itemRequired: 'Obrigatório',
    addItem: 'Adicionar item',
    removeItem: 'Remover item',
  },
  fileTypes: {
    pdf: 'PDF',
    docx: 'documento do Word',
    xlsx: 'pasta de trabalho do Excel',
    pptx: 'apresentação do PowerPoint',
    csv: 'tabela CSV',
    txt: 'texto simples',
    log: 'log',
    md: 'Markdown',
    json: 'JSON',
    xml: 'XML',
    yaml: 'YAML',
    html: 'página HTML',
    png: 'imagem PNG',
    jpeg: 'imagem JPEG',
    eml: 'mensagem de e-mail',
    msg: 'mensagem do Outlook',
    odt: 'texto OpenDocument',
    ods: 'planilha OpenDocument',
    zip: 'arquivo ZIP',
    sarif: 'resultados de análise SARIF',
  },
  series: {
    add: 'Adicionar a uma série',
    of: (name) => `Série: ${name}`,
    addLabel: 'Série',
    addHint: 'O kit não muda. O próximo kit da série o indicará como o anterior.',
  },
}
