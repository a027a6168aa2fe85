import type { outside as english } from '../en/outside.ts'

export const outside: typeof english = {
  titles: {
    expired: 'このリンクは期限切れです',
    revoked: 'このリンクは取り消されました',
    replaced: 'このリンクは新しいものに置き換えられました',
    not_found: 'このリンクは無効です',
    exhausted: 'ダウンロードの上限に達しました',
    closed: 'このリンクは締め切られました',
  },
}
