import type { MailTexts, MailWords } from './mail-texts.ts'

export const ptBR: MailTexts = {
  invitation: {
    subject: 'Convite para {workspace}',
    before: ['{inviter} convidou você para o espaço de trabalho {workspace} como {role}.'],
    action: 'Aceitar convite',
    after: [
      'O link funciona uma vez e expira em {expires}. Quem o tiver pode usá-lo; por isso, não encaminhe este e-mail.',
      'Se você não esperava este convite, ignore este e-mail.',
    ],
  },
  request: {
    subject: '{workspace} solicita evidências: {title}',
    before: ['{workspace} pede evidências a você: {title}.', '{message}', 'Itens: {items}.', 'Prazo: {due}.'],
    action: 'Abrir solicitação',
    after: [
      'Não é preciso ter conta. Quem tiver o link pode fazer upload por você; por isso, encaminhe-o só a quem deve fazer isso.',
    ],
  },
  reminder: {
    subject: 'Lembrete: {title} ({when})',
    before: [
      'As evidências que {workspace} solicitou, {title}: {when}.',
      'Prazo: {due}.',
      'Itens em aberto: {open}.',
    ],
    action: 'Abrir solicitação',
    after: [],
  },
  period: {
    subject: '{title} ({when})',
    before: ['{title} de {workspace}: {when}.', '{message}', 'Seus itens: {items}.', 'Prazo: {due}.'],
    action: 'Abrir período',
    after: [],
  },
  result: {
    subject: '{title}: {result}',
    before: ['{title}, para {workspace}: {result}.', '{advice}'],
    action: 'Abrir',
    after: [],
  },
  share: {
    subject: '{workspace} compartilhou evidências com você: {title}',
    before: ['{workspace} compartilhou evidências com você: {title}.', '{note}', '{password}'],
    action: 'Abrir compartilhamento',
    after: [
      'A página checa os arquivos no seu navegador. Não é preciso ter conta.',
      'O link foi criado para você, e o remetente vê quando ele é usado. Expira em {expires}. Quem o tiver pode abrir o compartilhamento.',
    ],
  },
  key_revocation: {
    subject: 'Chave de assinatura revogada. Kits afetados: {kits}',
    before: [
      'A chave de assinatura {kid} foi revogada em {revoked}. Kits de {workspace} que ela assinou: {kits}.',
      'A chave privada pode estar em outras mãos desde {since}. Kits comprovadamente anteriores continuam válidos.',
      'Os verificadores agora informam que estes kits foram assinados com uma chave revogada. Você pode reemiti-los com uma nova chave.',
    ],
    action: 'Mostrar kits afetados',
    after: [],
  },
  webhook_disabled: {
    subject: 'Webhook desativado: {url}',
    before: [
      'O webhook {url} de {workspace} vinha falhando desde {since} e foi desativado.',
      'Último problema: {problem}',
      'Nenhum evento se perde: quando o receptor voltar a funcionar, ative o webhook, e ele continua de onde parou.',
    ],
    action: 'Abrir espaço de trabalho',
    after: [],
  },
  test: {
    subject: 'E-mail de teste de {issuer}',
    before: [
      'Você pediu este e-mail como operador de {issuer} e membro de {workspace}. O serviço consegue enviar e-mail.',
    ],
    action: 'Abrir a página do serviço',
    after: [],
  },
  access_reset: {
    subject: 'Seu acesso a {workspace} foi redefinido',
    before: [
      'O operador {operator} excluiu suas chaves de acesso ao espaço de trabalho {workspace} e encerrou suas sessões.',
      'Abra o link para entrar e adicionar uma nova chave de acesso.',
    ],
    action: 'Entrar',
    after: [
      'O link funciona uma vez e expira em {expires}. Quem o tiver pode usá-lo; por isso, não encaminhe este e-mail.',
      'Se você não pediu isso, avise um proprietário do espaço de trabalho. O log de auditoria identifica o operador.',
    ],
  },
}

export const words: MailWords = {
  unsubscribe: 'Não receber mais e-mails de {workspace}',
  unsubscribeText: 'Para não receber mais e-mails de {workspace}: {url}',
  phrases: {
    notComplete: 'ainda incompleto',
    overdue: 'prazo vencido',
    today: 'vence hoje',
    tomorrow: 'vence amanhã',
    inDays: 'vence em {} dias',
    open: 'já está aberto',
    needsChanges: 'requer alterações',
    accepted: 'aceito',
    submitted: 'enviado pelo fornecedor',
    wrote: '{} escreveu nesta sala',
    reviewerWrote: 'Um revisor escreveu nesta sala',
    downloadedShare: '{} baixou deste compartilhamento',
    downloadedRoom: '{} baixou desta sala',
    someoneShare: 'Alguém com o link baixou deste compartilhamento',
    someoneRoom: 'Alguém com o link baixou desta sala',
    nothingLeft: 'Não há mais nada a fazer.',
    seeComments: 'Abra a solicitação para ver os comentários.',
    seePeriod: 'Abra o período para ver os comentários.',
    acceptOrReturn: 'Aceite os itens ou devolva-os com um comentário.',
    readAndAnswer: 'Abra a sala para ler e responder.',
    accessLog: 'O log de acessos tem todos os downloads.',
    password: 'Você também precisa de uma senha. Peça a senha a {}.',
    operator: 'O operador deste serviço',
    owner: 'proprietário',
    manager: 'gerente',
    member: 'membro',
    viewer: 'leitor',
  },
}
