import type { preview as english } from '../en/preview.ts'
import { counted } from './words.ts'

export const preview: typeof english = {
  open: (name) => `Visualizar ${name}`,
  contentOf: (name) => `Conteúdo de ${name}`,
  download: 'Baixar',
  downloadOf: (name) => `Baixar ${name}`,
  proof: 'Prova de arquivo',
  proofOf: (name) => `Baixar a prova de arquivo de ${name}`,
  fileSays: (summary) => `O arquivo diz: ${summary}`,
  previous: 'Anterior',
  next: 'Próximo',
  close: 'Fechar',
  empty: 'Este arquivo está vazio.',
  none: 'Não há prévia para este tipo de arquivo. Baixe-o para abrir.',
  noImage: 'Este navegador não consegue mostrar esta imagem. Baixe-a para abrir.',
  large: 'Este arquivo é grande demais para a prévia. Baixe-o para abrir.',
  pdf: {
    page: (page, pages) => `Página ${page} de ${pages}`,
    previous: 'Página anterior',
    next: 'Próxima página',
    hint: 'Podem faltar fontes e imagens nesta prévia. Baixe o arquivo para vê-lo por completo.',
    noImages:
      'Algumas imagens deste arquivo não aparecem nesta prévia; por isso, páginas podem parecer vazias.',
    noText: 'Parte do texto não aparece nesta prévia.',
    seeFile: 'Baixe o arquivo para ver tudo.',
    damaged: 'Este PDF está danificado, por isso não há prévia. Baixe-o para tentar com outro programa.',
    password: 'Este PDF exige senha, por isso não há prévia. Baixe-o para abrir.',
    brokenPage: 'Não foi possível mostrar esta página. Baixe o arquivo para vê-la.',
  },
  office: {
    sheet: 'Planilha',
    emptySheet: 'Esta planilha está vazia.',
    firstColumns: (count) =>
      count === 1
        ? 'Só a primeira coluna é mostrada.'
        : `Só as primeiras ${counted(count, 'coluna', 'colunas')} são mostradas.`,
    sheetHint: 'Somente valores. Gráficos, imagens e formatação não são mostrados.',
    documentHint:
      'Somente texto e tabelas. Imagens, cabeçalhos, notas de rodapé e formatação não são mostrados.',
    emptyDocument: 'Este documento não tem texto.',
    damaged:
      'Este arquivo não pode ser lido, por isso não há prévia. Baixe-o para tentar com outro programa.',
    slow: 'A leitura deste arquivo demora demais, por isso não há prévia. Baixe-o para abrir.',
  },
  cut: 'Só o começo é mostrado. Baixe o arquivo para ver o resto.',
  firstRows: (count) =>
    `${count === 1 ? 'A primeira linha' : `As primeiras ${counted(count, 'linha', 'linhas')}`}. Baixe o arquivo para ver o resto.`,
  failed: (why) => `Não foi possível carregar a prévia: ${why}`,
}
