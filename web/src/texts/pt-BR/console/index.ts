import type { consoleTexts as english } from '../../en/console/index.ts'
import { counted, number } from '../words.ts'
import { access } from './access.ts'
import { audit } from './audit.ts'
import { custody } from './custody.ts'
import { evidence } from './evidence.ts'
import { overview } from './overview.ts'
import { profiles } from './profiles.ts'
import { programs } from './programs.ts'
import { reissue } from './reissue.ts'
import { requests } from './requests.ts'
import { rooms } from './rooms.ts'
import { service } from './service.ts'
import { shares } from './shares.ts'
import { submissions } from './submissions.ts'
import { federations, webhooks } from './webhooks.ts'
import { workspace } from './workspace.ts'

export const consoleTexts: typeof english = {
  title: 'Console',
  menu: 'Menu',
  places: 'Console',
  manage: 'Gerenciar',
  signOut: 'Sair',
  frozen: {
    title: 'No momento, nenhum kit é emitido',
    text: (reason) =>
      `O operador precisa conferir o log deste serviço primeiro: ${reason}. Você pode enviar evidências normalmente. Os kits serão emitidos depois, sem que você precise fazer nada.`,
  },
  close: 'Fechar',
  cancel: 'Cancelar',
  more: 'Carregar mais',
  toSubmissions: 'Todos os envios',
  openSubmission: 'Abrir o envio',
  secretDone: 'Já salvei',
  graces: { '24': 'Após 24 horas', '168': 'Após 7 dias', '1': 'Após 1 hora', '0': 'Imediatamente' },
  overview,
  titles: {
    overview: 'Visão geral',
    submissions: 'Envios',
    submission: 'Envio',
    new: 'Novo envio',
    requests: 'Solicitações',
    request: 'Solicitação',
    newRequest: 'Nova solicitação',
    programs: 'Programas',
    program: 'Programa',
    newProgram: 'Novo programa',
    shares: 'Compartilhamentos',
    room: 'Sala',
    profiles: 'Perfis',
    keys: 'Chaves de API',
    webhooks: 'Webhooks',
    webhook: 'Webhook',
    members: 'Membros',
    audit: 'Log de auditoria',
    settings: 'Espaço de trabalho',
    account: 'Sua conta',
    service: 'Serviço',
    serviceWorkspaces: 'Todos os espaços de trabalho',
    serviceWorkspace: 'Espaço de trabalho do serviço',
  },
  stages: {
    draft: 'Rascunho',
    queued: 'Na fila',
    running: 'Em checagem',
    passed: 'Lacrado',
    failed: 'Requer alterações',
    expired: 'Expirado',
  },
  remedy: 'Como corrigir:',
  files: (count) => counted(count, 'arquivo', 'arquivos'),
  blockers: (count, areMore = false) =>
    areMore ? `${number(count)} impedimentos ou mais` : counted(count, 'impedimento', 'impedimentos'),
  findings: {
    secrets: (count) => counted(count, 'possível segredo', 'possíveis segredos'),
    secretsAccepted: (count) => counted(count, 'possível segredo aceito', 'possíveis segredos aceitos'),
    problemsAccepted: (count) => counted(count, 'problema aceito', 'problemas aceitos'),
    notices: (count) => counted(count, 'aviso', 'avisos'),
    which: (what, sentences) => `${what}: ${sentences.join(' ')}`,
    secretAt: (path, place) => `${path}, ${place}`,
  },
  blockerPaths: {
    count: (count) => counted(count, 'arquivo', 'arquivos'),
    what: (count) => `todos os ${number(count)} caminhos`,
    notListed: (count) =>
      `${counted(count, 'outro caminho não aparece', 'outros caminhos não aparecem')} aqui. Copie a lista para obter todos.`,
    more: (count) => `e mais ${number(count)}`,
  },
  notEntitled: {
    title: 'Sem acesso à API',
    text: (name) => `O plano de ${name} não inclui acesso à API. Fale com o operador deste serviço.`,
  },
  audit,
  custody,
  reissue,
  requests,
  programs,
  webhooks,
  federations,
  service,
  shares,
  rooms,
  ...access,
  ...evidence,
  ...profiles,
  ...submissions,
  ...workspace,
}
