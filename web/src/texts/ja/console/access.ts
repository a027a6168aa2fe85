import type { access as english } from '../../en/console/access.ts'
import { counted } from '../words.ts'

export const access: typeof english = {
  roles: {
    names: { owner: 'オーナー', manager: 'マネージャー', member: 'メンバー', viewer: '閲覧者' },
    explained:
      '閲覧者は閲覧のみできます。メンバーは加えて、証跡の提出、提出者への依頼、キットの共有ができます。マネージャーは加えて、プログラムの運営とプロファイルの変更ができます。オーナーは加えて、リーガルホールドの設定、証跡の削除、キットの再発行、APIキー・メンバー・ワークスペースの管理ができます。',
    needs: (permission, role) => {
      const members = 'メンバー、マネージャー、オーナー'
      const managers = 'マネージャーとオーナー'
      const owners = 'オーナー'
      const [who, what] = {
        submit: [members, '証跡を提出'],
        shares: [members, 'キットを共有'],
        profiles: [managers, 'プロファイルを変更'],
        webhooks: [owners, 'Webhookを管理'],
        keys: [owners, 'APIキーを管理'],
        members: [owners, 'メンバーを管理'],
        settings: [owners, 'ワークスペースを変更'],
        reissue: [owners, 'キットを再発行'],
        requests: [members, '依頼を管理'],
        programs: [managers, 'プログラムを管理'],
        comments: [managers, 'コメントを消去'],
        custody: [owners, 'リーガルホールドの設定と証跡の削除が'],
      }[permission]
      return `${what}できるのは${who}だけです。あなたの役割は${role}です。`
    },
  },
  workspaces: {
    button: (name) => `ワークスペース：${name}`,
    byPasskey: 'そのパスキーでサインイン',
    settings: 'ワークスペースの設定',
    failed: 'ワークスペースを切り替えられませんでした',
  },
  signIn: {
    title: 'サインイン',
    heading: 'コンソールにサインイン',
    withPasskey: 'パスキーでサインイン',
    withOidc: (name) => `${name}でサインイン`,
    noAccount: 'アカウントをお持ちでない場合は、ワークスペースのオーナーに招待リンクを依頼してください。',
    operator: '運用者は次のコマンドで作成できます：',
    operatorCommand: 'kitseal admin invite',
    unsupported:
      'ここではパスキーを使えません。HTTPSまたはlocalhostと、パスキー対応のブラウザが必要です。サインインリンクを運用者に依頼してください。',
    dismissed: 'パスキーは使われませんでした。もう一度試すか、サインインリンクを使ってください。',
    alreadyThere: 'この端末にはあなたのパスキーがすでにあります。それでサインインしてください。',
    noPasskey:
      'ブラウザでパスキーを使えませんでした。別のブラウザで試すか、サインインリンクを使ってください。',
    oidcProblems: {
      oidc_refused: 'サインインが完了しませんでした。もう一度お試しください。',
      oidc_email_unverified:
        'メールアドレスがサインインプロバイダーで確認されていません。確認してから、もう一度お試しください。',
      oidc_not_a_member:
        'どのワークスペースのメンバーでもありません。あなたのメールアドレスを招待するよう、オーナーに依頼してください。',
      oidc_unavailable:
        'サインインプロバイダーが応答しません。後でもう一度試すか、パスキーを使ってください。',
    },
  },
  choose: {
    title: 'ワークスペースを選択',
    lead: (email) => `${email}としてサインインしています。次回のサインインでも同じワークスペースが開きます。`,
    role: (role) => `役割：${role}`,
    join: (workspace) => `${workspace}に参加`,
    linked:
      '誰かがあなたのアドレスとリンクを使って参加しています。続行すると、その人のここでのセッションとパスキーは終了し、このメンバー権限を使えるのはあなただけになります。',
  },
  invite: {
    title: '招待',
    sso: 'シングルサインオンをお使いのため、この招待はシングルサインオンでのみ承諾できます。',
    withOidc: (name) => `${name}で続ける`,
    heading: (workspace) => `${workspace}に参加`,
    setUp: 'kitsealを設定',
    setUpText: 'あなたがこのワークスペースのオーナーになります。',
    organization: '組織',
    organizationHint: 'キットにはこの組織のものと記載されます。後で変更できます。',
    name: 'お名前',
    email: 'メールアドレス',
    as: (email, role) => `${email}、役割：${role}`,
    label: 'パスキーの名前（任意）',
    labelHint: '後でこのパスキーを見分けるのに役立ちます。',
    labelExample: '仕事用のノートPC',
    makePasskey: 'パスキーを作成してサインイン',
    without: '今回だけパスキーなしでサインイン',
    unsupported:
      'ここではパスキーを使えません。HTTPSまたはlocalhostと、パスキー対応のブラウザが必要です。今回だけパスキーなしでサインインできます。',
    expires: 'このリンクは1回だけ使えます。期限：',
    invalid: 'このリンクは使えません',
    invalidHint: '招待リンクは、期限までに1回だけ使えます。新しいリンクを依頼してください。',
    noToken: {
      title: 'このリンクは不完全です',
      text: '招待リンクの末尾には「#」と長いコードがあります。リンク全体を開くか、新しいリンクを依頼してください。',
    },
    toSignIn: 'サインインへ',
  },
  account: {
    lead: (email, role) => `${email}、${role}`,
    person: {
      title: 'あなた',
      name: 'お名前',
      email: 'メールアドレス',
      emailHint: 'メンバーに表示され、あなた宛てのメールの送信先になります。確認はされていません。',
      fixed: (email) => `サインインプロバイダーによると、あなたのアドレスは${email}です。`,
    },
    passkeys: {
      title: 'パスキー',
      text: 'パスキーを使うと、指紋、顔、PINでサインインできます。紛失に備えて、2台目の端末にも追加してください。',
      none: 'リンクでサインインしたため、パスキーがありません。今追加しないと、次回は新しいリンクが必要です。',
      label: '名前（任意）',
      add: 'パスキーを追加',
      added: '追加：',
      used: '最終使用：',
      neverUsed: '未使用',
      backedUp: '同期済み',
      remove: {
        action: '削除',
        title: (label) => `「${label}」を削除しますか？`,
        text: 'このパスキーではサインインできなくなります。これで開始したセッションは有効なままです。',
      },
    },
    sessions: {
      title: 'セッション',
      text: 'サインインしているブラウザです。',
      current: 'このブラウザ',
      methods: { passkey: 'パスキー', link: 'リンク', oidc: 'シングルサインオン' },
      signedIn: (method) => `${method}でサインイン：`,
      active: '最終アクセス：',
      end: 'サインアウト',
      endOthers: '他のすべてからサインアウト',
    },
  },
  members: {
    lead: 'このワークスペースを使える人です。',
    title: 'メンバー',
    you: '（あなた）',
    never: 'なし',
    passkeys: (count) => `パスキー${counted(count, '個')}`,
    roleOf: (email) => `${email}の役割`,
    columns: { email: 'メンバー', role: '役割', seen: '最終アクセス', actions: '操作' },
    remove: {
      action: '削除',
      title: (email) => `${email}を削除しますか？`,
      text: 'すぐにサインアウトされます。この人の提出は残ります。',
      keep: '次のAPIキーとCIシステムを残す',
      keepHint: '他のものは、それが作成したキーとともに失効します。残したものはあなたの責任になります。',
      key: (label) => `APIキー「${label}」`,
      federation: (label) => `CIシステム「${label}」`,
      end: '次の共有と依頼を終了する',
      endHint: '他のものはそのまま残ります。',
      share: (label) => `「${label}」の共有`,
      request: (title) => `依頼「${title}」`,
      invitations: (emails) => `${emails}への未承諾の招待は取り消されます。`,
      yourself: 'これはあなた自身のアカウントです。すぐにサインアウトされ、戻るには新しい招待が必要です。',
    },
    invite: {
      title: 'メンバーを招待',
      email: 'メールアドレス',
      role: '役割',
      action: '招待リンクを作成',
      made: (email) => `${email}の招待リンク`,
      madeText:
        '信頼できる経路でこのリンクを送ってください。表示は一度だけで、使えるのも1回だけです。7日後に期限が切れます。',
      what: '招待リンク',
    },
    open: {
      title: '未承諾の招待',
      none: '未承諾の招待はありません。',
      revoke: '取り消す',
      columns: { email: 'メールアドレス', role: '役割', by: '招待した人', until: '期限', actions: '操作' },
    },
  },
}
