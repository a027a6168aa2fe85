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
  title: 'コンソール',
  menu: 'メニュー',
  places: 'コンソール',
  manage: '管理',
  signOut: 'サインアウト',
  frozen: {
    title: '現在、キットは発行されていません',
    text: (reason) =>
      `運用者が先にこのサービスのログを確認する必要があります：${reason}。証跡は通常どおり提出できます。キットは確認後に発行され、操作は不要です。`,
  },
  close: '閉じる',
  cancel: 'キャンセル',
  more: 'さらに読み込む',
  toSubmissions: 'すべての提出',
  openSubmission: '提出を開く',
  secretDone: '保存しました',
  graces: { '24': '24時間後', '168': '7日後', '1': '1時間後', '0': 'ただちに' },
  overview,
  titles: {
    overview: '概要',
    submissions: '提出',
    submission: '提出',
    new: '新しい提出',
    requests: '依頼',
    request: '依頼',
    newRequest: '新しい依頼',
    programs: 'プログラム',
    program: 'プログラム',
    newProgram: '新しいプログラム',
    shares: '共有',
    room: 'ルーム',
    profiles: 'プロファイル',
    keys: 'APIキー',
    webhooks: 'Webhook',
    webhook: 'Webhook',
    members: 'メンバー',
    audit: '監査ログ',
    settings: 'ワークスペース',
    account: 'アカウント',
    service: 'サービス',
    serviceWorkspaces: 'すべてのワークスペース',
    serviceWorkspace: 'サービスのワークスペース',
  },
  stages: {
    draft: '下書き',
    queued: '順番待ち',
    running: 'チェック中',
    passed: '封印済み',
    failed: '要修正',
    expired: '期限切れ',
  },
  remedy: '直し方：',
  files: (count) => counted(count, '個のファイル'),
  blockers: (count, areMore = false) => `ブロッカー${number(count)}件${areMore ? '以上' : ''}`,
  findings: {
    secrets: (count) => `秘密情報の疑い${counted(count, '件')}`,
    secretsAccepted: (count) => `了承済みの秘密情報の疑い${counted(count, '件')}`,
    problemsAccepted: (count) => `了承済みの問題${counted(count, '件')}`,
    notices: (count) => `注意${counted(count, '件')}`,
    which: (what, sentences) => `${what}：${sentences.join(' ')}`,
    secretAt: (path, place) => `${path}、${place}`,
  },
  blockerPaths: {
    count: (count) => counted(count, '個のファイル'),
    what: (count) => `${number(count)}個すべてのパス`,
    notListed: (count) =>
      `ほかに${number(count)}個のパスはここに表示されていません。一覧をコピーするとすべて取得できます。`,
    more: (count) => `ほか${number(count)}件`,
  },
  notEntitled: {
    title: 'APIを利用できません',
    text: (name) =>
      `${name}のプランにはAPIの利用が含まれていません。このサービスの運用者にお問い合わせください。`,
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
