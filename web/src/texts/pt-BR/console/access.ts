import type { access as english } from '../../en/console/access.ts'
import { counted } from '../words.ts'

export const access: typeof english = {
  roles: {
    names: { owner: 'Proprietário', manager: 'Gerente', member: 'Membro', viewer: 'Leitor' },
    explained:
      'Leitores podem ler. Membros também podem enviar evidências, solicitá-las a fornecedores e compartilhar kits. Gerentes também podem conduzir programas e alterar perfis. Proprietários também podem aplicar bloqueios legais, excluir evidências, reemitir kits e gerenciar chaves de API, membros e o espaço de trabalho.',
    needs: (permission, role) => {
      const members = 'membros, gerentes e proprietários'
      const managers = 'gerentes e proprietários'
      const owners = 'proprietários'
      const [who, what] = {
        submit: [members, 'enviar evidências'],
        shares: [members, 'compartilhar kits'],
        profiles: [managers, 'alterar perfis'],
        webhooks: [owners, 'gerenciar webhooks'],
        keys: [owners, 'gerenciar chaves de API'],
        members: [owners, 'gerenciar membros'],
        settings: [owners, 'alterar o espaço de trabalho'],
        reissue: [owners, 'reemitir kits'],
        requests: [members, 'gerenciar solicitações'],
        programs: [managers, 'gerenciar programas'],
        comments: [managers, 'apagar comentários'],
        custody: [owners, 'aplicar bloqueios legais e excluir evidências'],
      }[permission]
      return `Somente ${who} podem ${what}. Sua função é ${role}.`
    },
  },
  workspaces: {
    button: (name) => `Espaço de trabalho ${name}`,
    byPasskey: 'Entrar com a chave de acesso dele',
    settings: 'Configurações do espaço de trabalho',
    failed: 'Não foi possível trocar de espaço de trabalho',
  },
  signIn: {
    title: 'Entrar',
    heading: 'Entrar no console',
    withPasskey: 'Entrar com uma chave de acesso',
    withOidc: (name) => `Entrar com ${name}`,
    noAccount: 'Ainda não tem conta? Peça um link de convite a um proprietário do seu espaço de trabalho.',
    operator: 'Operadores podem criar um com',
    operatorCommand: 'kitseal admin invite',
    unsupported:
      'Chaves de acesso não estão disponíveis aqui. Elas exigem HTTPS ou localhost e um navegador compatível. Peça ao operador um link para entrar.',
    dismissed: 'Nenhuma chave de acesso foi usada. Tente de novo ou use um link para entrar.',
    alreadyThere: 'Este dispositivo já tem uma chave de acesso sua. Entre com ela.',
    noPasskey:
      'O navegador não conseguiu usar uma chave de acesso. Tente outro navegador ou use um link para entrar.',
    oidcProblems: {
      oidc_refused: 'O acesso não foi concluído. Tente de novo.',
      oidc_email_unverified:
        'Seu e-mail não está verificado no provedor de login. Verifique-o e tente de novo.',
      oidc_not_a_member:
        'Você não é membro de nenhum espaço de trabalho aqui. Peça a um proprietário que convide o seu e-mail.',
      oidc_unavailable:
        'O provedor de login não está respondendo. Tente mais tarde ou use uma chave de acesso.',
    },
  },
  choose: {
    title: 'Escolher um espaço de trabalho',
    lead: (email) => `Você é ${email}. O próximo acesso abre o mesmo espaço de trabalho.`,
    role: (role) => `Função: ${role.toLowerCase()}`,
    join: (workspace) => `Participar de ${workspace}`,
    linked:
      'Alguém entrou com o seu endereço e um link. Se você continuar, as sessões e chaves de acesso dessa pessoa aqui serão encerradas, e só você poderá usar este acesso.',
  },
  invite: {
    title: 'Convite',
    sso: 'Você entra com login único; por isso, só o login único pode aceitar este convite.',
    withOidc: (name) => `Continuar com ${name}`,
    heading: (workspace) => `Participar de ${workspace}`,
    setUp: 'Configurar o kitseal',
    setUpText: 'Você será proprietário deste espaço de trabalho.',
    organization: 'Organização',
    organizationHint: 'Os kits dirão que são dela. Você pode mudar isso depois.',
    name: 'Seu nome',
    email: 'Seu e-mail',
    as: (email, role) => `${email}, função: ${role.toLowerCase()}`,
    label: 'Nome da chave de acesso (opcional)',
    labelHint: 'Ajuda você a reconhecer esta chave de acesso depois.',
    labelExample: 'Notebook do trabalho',
    makePasskey: 'Criar uma chave de acesso e entrar',
    without: 'Entrar desta vez sem chave de acesso',
    unsupported:
      'Chaves de acesso não estão disponíveis aqui. Elas exigem HTTPS ou localhost e um navegador compatível. Você pode entrar uma vez sem ela.',
    expires: 'Este link funciona uma vez. Expira em',
    invalid: 'Este link não pode ser usado',
    invalidHint: 'Um link de convite funciona uma vez, e só até expirar. Peça um novo.',
    noToken: {
      title: 'Este link está incompleto',
      text: 'Um link de convite termina com “#” e um código longo. Abra o link completo ou peça um novo.',
    },
    toSignIn: 'Ir para a tela de entrada',
  },
  account: {
    lead: (email, role) => `${email}, ${role.toLowerCase()}`,
    person: {
      title: 'Você',
      name: 'Seu nome',
      email: 'E-mail',
      emailHint: 'Os membros o veem. As mensagens para você vão para ele. Não é verificado.',
      fixed: (email) => `Seu provedor de login informa que seu endereço é ${email}.`,
    },
    passkeys: {
      title: 'Chaves de acesso',
      text: 'Com uma chave de acesso, você entra com sua digital, seu rosto ou um PIN. Adicione uma em um segundo dispositivo para o caso de perder o primeiro.',
      none: 'Você não tem chave de acesso: entrou com um link. Adicione uma agora, ou precisará de um novo link da próxima vez.',
      label: 'Nome (opcional)',
      add: 'Adicionar uma chave de acesso',
      added: 'Adicionada',
      used: 'último uso',
      neverUsed: 'nunca usada',
      backedUp: 'sincronizada',
      remove: {
        action: 'Remover',
        title: (label) => `Remover “${label}”?`,
        text: 'Você não poderá mais entrar com esta chave de acesso. As sessões iniciadas com ela continuam ativas.',
      },
    },
    sessions: {
      title: 'Sessões',
      text: 'Navegadores em que você está conectado.',
      current: 'Este navegador',
      methods: { passkey: 'uma chave de acesso', link: 'um link', oidc: 'login único' },
      signedIn: (method) => `Entrou com ${method} em`,
      active: 'última atividade',
      end: 'Sair',
      endOthers: 'Sair das outras sessões',
    },
  },
  members: {
    lead: 'Pessoas que podem usar este espaço de trabalho.',
    title: 'Membros',
    you: '(você)',
    never: 'Nunca',
    passkeys: (count) => counted(count, 'chave de acesso', 'chaves de acesso'),
    roleOf: (email) => `Função de ${email}`,
    columns: { email: 'Membro', role: 'Função', seen: 'Última atividade', actions: 'Ações' },
    remove: {
      action: 'Remover',
      title: (email) => `Remover ${email}?`,
      text: 'A sessão da pessoa é encerrada na hora. Os envios dela permanecem.',
      keep: 'Manter estas chaves de API e sistemas de CI',
      keepHint: 'Os outros são revogados, junto com as chaves que criaram. Você responde pelos que mantiver.',
      key: (label) => `Chave de API “${label}”`,
      federation: (label) => `Sistema de CI “${label}”`,
      end: 'Encerrar estes compartilhamentos e solicitações',
      endHint: 'Os outros ficam como estão.',
      share: (label) => `Compartilhamento de “${label}”`,
      request: (title) => `Solicitação “${title}”`,
      invitations: (emails) => `Os convites em aberto para ${emails} são revogados.`,
      yourself:
        'Esta é a sua própria conta. Sua sessão é encerrada na hora, e você precisará de um novo convite para voltar.',
    },
    invite: {
      title: 'Convidar um membro',
      email: 'E-mail',
      role: 'Função',
      action: 'Criar link de convite',
      made: (email) => `Link de convite para ${email}`,
      madeText:
        'Envie este link por um canal em que você confia. Ele é mostrado só uma vez, pode ser usado uma vez e expira em 7 dias.',
      what: 'link de convite',
    },
    open: {
      title: 'Convites pendentes',
      none: 'Nenhum convite pendente.',
      revoke: 'Revogar',
      columns: { email: 'E-mail', role: 'Função', by: 'Convidado por', until: 'Expira', actions: 'Ações' },
    },
  },
}
