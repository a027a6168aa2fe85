import type { evidence as english } from '../../en/console/evidence.ts'
import { counted, number } from '../words.ts'

const files = (count: number): string => counted(count, 'arquivo', 'arquivos')

export const evidence: typeof english = {
  new: {
    lead: 'Escolha arquivos. Eles são checados no seu navegador, e o upload só é feito quando você envia.',
    label: 'Nome',
    labelHint: 'Os revisores veem este nome. Use o mesmo nome para kits que você queira comparar depois.',
    labelExample: 'Revisão de acessos, 3º tri',
    profile: 'Perfil',
    profileHint: 'Um perfil é um checklist de arquivos obrigatórios.',
    attributes: {
      title: 'Série, tags e ID externo',
      series: 'Série',
      seriesHint:
        'Para evidências que você coleta repetidamente. Cada kit mostra o que mudou desde o último.',
      seriesExample: 'Revisão de acessos',
      tags: 'Tags',
      tagsHint: 'Para encontrar depois. Pressione Enter após cada uma.',
      externalId: 'ID externo',
      externalIdHint: 'Seu próprio ID, como um número de chamado.',
    },
    provenance: {
      title: 'Procedência',
      hint: 'Opcional. O kit a mostra como declarada por você, não como verificada.',
      collector: 'Coletado com',
      collectorHint: 'A ferramenta ou o cargo da pessoa que coletou os arquivos.',
      collectorExample: 'Prowler 5.9',
      period: 'Período coberto',
      from: 'De',
      to: 'Até',
      bothDates: 'Informe as duas datas do período, ou nenhuma.',
      wrongPeriod: 'O período não pode terminar antes de começar.',
    },
    dropTitle: 'Solte aqui arquivos, pastas ou um arquivo zip',
    dropHint: (limit) => `Até ${limit} no total. Nenhum upload é feito ainda.`,
    reading: 'Lendo arquivos…',
    dropMore: 'Solte mais arquivos em qualquer lugar desta página',
    chooseFiles: 'Escolher arquivos…',
    chooseFolder: 'Escolher uma pasta…',
    nothing: 'Nenhum arquivo encontrado.',
    skipped: (count) =>
      `${counted(count, 'arquivo ignorado', 'arquivos ignorados')}: já existe um arquivo com o mesmo nome neste envio.`,
    unreadable: (why) => `Não foi possível ler (${why}). Tente “Escolher uma pasta…” ou um arquivo zip.`,
    filesTitle: (count, size) => `${files(count)}, ${size}`,
    fileList: 'Arquivos escolhidos',
    problems: (count, more = false) =>
      more ? `${number(count)} problemas ou mais` : counted(count, 'problema', 'problemas'),
    withProblems: (count) => `${files(count)} com problemas`,
    removeFile: (name) => `Remover ${name}`,
    sendingFile: (name) => `Fazendo upload de ${name}`,
    sent: 'upload feito',
    tooLarge: {
      title: 'Grande demais',
      text: (size, limit) =>
        `Estes arquivos têm ${size}. O limite é ${limit}. Remova alguns arquivos ou divida-os em dois envios.`,
    },
    check: {
      running: 'Checando os arquivos no seu navegador',
      goodTitle: 'Nenhum problema encontrado. Pronto para enviar.',
      goodWithNotices: 'Pronto para enviar. Veja os avisos abaixo.',
      badTitle: (problems) => `Há ${problems}`,
      removeFiles: (count) =>
        count === 1 ? 'Remover o arquivo com problema' : `Remover os ${number(count)} arquivos com problema`,
      bad: 'Corrija estes arquivos e solte-os de novo: um arquivo com o mesmo nome substitui o anterior. Nenhum upload foi feito.',
      failedTitle: 'A checagem não pôde ser feita no seu navegador',
      failed: (why) => `Você ainda pode enviar: o serviço checa os arquivos após o upload. (${why})`,
    },
    accept: {
      secrets: {
        title: 'Enviar um possível segredo?',
        text: 'Todos que receberem o kit poderão lê-lo, e um kit não pode ser recolhido. O kit registra o que você reconhece aqui, e o dossiê mostra.',
        label: (count) =>
          `Eu conferi. Enviar com ${counted(count, 'possível segredo', 'possíveis segredos')}.`,
      },
      files: {
        title: 'Enviar arquivos danificados como estão?',
        text: 'O kit registra o que você reconhece aqui, e o dossiê mostra. Arquivos perigosos não podem ser enviados.',
        label: (count) =>
          count === 1
            ? 'Estou ciente. Enviar o arquivo como está.'
            : `Estou ciente. Enviar os ${count} arquivos como estão.`,
      },
      items: {
        title: 'Enviar com itens incompletos?',
        text: 'O perfil pede mais. O kit registra o que você reconhece aqui, e o dossiê mostra.',
        label: (count) =>
          `Estou ciente. Enviar com ${counted(count, 'item incompleto', 'itens incompletos')}.`,
      },
    },
    send: 'Enviar',
    sending: 'Fazendo upload. Mantenha esta página aberta.',
    sentOf: (sent, all) => `Upload feito: ${number(sent)} de ${files(all)}`,
    leave: {
      title: 'Sair sem enviar?',
      text: (count) =>
        count === 1
          ? 'O arquivo escolhido ainda não foi enviado. Se sair, você terá que escolhê-lo de novo.'
          : `Os ${number(count)} arquivos escolhidos ainda não foram enviados. Se sair, você terá que escolhê-los de novo.`,
      stay: 'Ficar',
      leave: 'Sair',
    },
    cancel: 'Cancelar',
    cancelled: 'Upload cancelado.',
    stoppedTitle: 'Upload incompleto',
    stopped: 'Os arquivos com upload concluído são mantidos. “Retomar” faz o upload dos demais.',
    retry: 'Retomar',
    notReady: {
      files: 'Primeiro escolha arquivos.',
      label: 'Primeiro informe um nome.',
      size: 'Os arquivos são grandes demais.',
    },
  },
}
