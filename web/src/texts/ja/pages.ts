import type { pages as english } from '../en/pages.ts'
import { number } from './words.ts'

export const pages: typeof english = {
  frame: {
    name: 'kitseal',
    home: 'kitsealのホームページ',
    skip: '本文へ移動',
    navigation: 'メイン',
    verify: '検証',
    docs: 'ドキュメント',
    console: 'コンソール',
    language: '言語',
    documentTitle: (title) => (title === '' ? 'kitseal' : `${title} · kitseal`),
  },
  copy: {
    copyWhat: (what) => `${what}をコピー`,
    copied: 'コピーしました',
    failed: 'ブラウザがコピーを許可しませんでした。テキストを選択してコピーしてください。',
  },
  problem: {
    offline: 'サービスに接続できません。通信環境を確認して、もう一度お試しください。',
    unexpected: 'サービスから予期しない応答がありました。ページを再読み込みして、もう一度お試しください。',
    retry: '再試行',
    title: '問題が発生しました',
    crashed:
      'このページが停止しました。再読み込みすると続行できます。アップロード済みのファイルは失われません。',
    reload: '再読み込み',
  },
  colon: '：',
  loading: '読み込み中',
  showAll: (count) => `${number(count)}件すべて表示`,
  home: {
    title: '',
    heading: '改ざんを検知できる、証跡のキット',
    lead: '証跡をアップロードすると、署名付きのキットが発行されます。キットは、ブラウザ、コマンドライン、手作業のいずれでも、このサービスの有無にかかわらず、誰でも検証できます。',
    verifyAction: 'キットを検証',
    consoleAction: 'コンソールを開く',
    steps: [
      {
        title: '証跡をアップロード',
        text: 'ファイル、フォルダー、zipアーカイブに対応。すべてのファイルをチェックし、問題は直し方とともに一覧で示します。',
      },
      {
        title: 'キットを受け取る',
        text: 'ファイルとそのハッシュ値、マニフェスト、Ed25519で署名された受領証、閲覧・印刷用のバインダー、オフラインの検証ツールが入っています。',
      },
      {
        title: '誰でも検証できる',
        text: '1バイトでも変更された場合、ファイルが追加・削除された場合、鍵が当サービスのものでない場合は、検証が失敗し、その理由が示されます。',
      },
    ],
    proves: '「検証済み」が証明すること',
    provesList: [
      'ファイルがマニフェストと1バイトも違わず一致すること。',
      'マニフェストが受領証と一致すること。',
      '受領証がこのサービスの公開鍵を示していること。',
      '受領証の署名が有効であること。',
      'したがって、キットが発行後に変更されていないこと。',
    ],
    provesNot: '「検証済み」が証明しないこと',
    provesNotList: [
      '組織が法令や基準に準拠していること、または安全であること。',
      '統制が有効であること。',
      '購入者、監査人、保険会社、銀行、規制当局が証跡を受け入れたこと。',
      '証跡が真実または十分であること。内容の責任は提出者にあります。',
    ],
    keys: {
      title: 'このサービスの署名鍵',
      lead: '鍵IDは鍵のフィンガープリントです。信頼する前に、発行者から別の経路で受け取ったものと照合してください。',
      kid: '鍵ID',
      since: '使用開始',
      status: '状態',
      issuer: '発行者',
      statuses: {
        active: '有効',
        retired: (until) => `${until}に使用終了。この鍵による受領証は引き続き有効です。`,
        revoked: (heading) =>
          `${heading}。この鍵で署名されたキットは、検証に合格しなくなりました。再発行されたキットを提出者に依頼してください。`,
      },
      unavailable: '鍵を読み込めませんでした。',
      none: 'このサービスにはまだ署名鍵がありません。',
      file: '鍵セット（jwks.json）',
    },
    offline: {
      title: 'コマンドラインで検証',
      text: 'このサービスの鍵を使い、同じチェックを行います。',
      command: (origin) => `kitseal verify kit.zip --issuer ${origin}`,
      more: 'どのキットにも、ブラウザでオフライン検証できるSTART-HERE.htmlと、sha256sumとopensslによる検証方法を説明したVERIFY.mdが入っています。',
      what: 'コマンド',
    },
    links: {
      title: '開発者向け',
      docs: 'ドキュメント',
      openapi: 'OpenAPI定義（openapi.json）',
      log: '透明性ログ',
    },
  },
  notFound: {
    title: 'ページが見つかりません',
    text: 'このアドレスにページはありません。',
    action: 'ホームページへ',
  },
}
