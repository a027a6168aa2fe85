import type { Errors } from '../errors.ts'

const NEW_LINK = '新しいリンクを依頼してください。'
const LATER = '数分後にもう一度お試しください。'
const UPLOAD_AGAIN = 'ファイルをもう一度アップロードしてください。'

export const errors: Errors = {
  link_not_found: `このリンクは期限切れか、新しいものに置き換えられています。${NEW_LINK}`,
  share_not_found: 'このリンクに該当する共有はありません。リンク全体をコピーしたことを確認してください。',
  share_revoked: `この共有は送信者が取り消しました。${NEW_LINK}`,
  share_replaced: `このリンクは新しいものに置き換えられました。${NEW_LINK}`,
  share_expired: `この共有は期限切れです。${NEW_LINK}`,
  share_exhausted: 'この共有のダウンロード回数の上限に達しました。上限を増やすよう送信者に依頼してください。',
  share_password_wrong: 'パスワードが正しくありません。',
  shared_file_not_found: 'この共有にこのファイルは含まれていません。',
  room_not_found: 'このリンクに該当するルームはありません。',
  room_full: 'このルームにはコメントやレビュー済みの印をこれ以上追加できません。',
  comment_not_found: 'このコメントはすでに存在しないか、状態を変更できるのは質問した人だけです。',
  kit_not_found: 'このキットはここにはありません。',
  kit_expired: 'このキットの保存期間が終了したため、ファイルは削除されました。',
  mail_off: 'このサービスはメールを送信しません。',
  request_not_open: 'この依頼ではこれ以上の変更を受け付けていません。',
  request_item_locked: 'この項目はすでに判定済みです。差し戻されるまで変更できません。',
  submission_running: 'ファイルをチェック中です。しばらくしてからもう一度お試しください。',
  submission_submitted: 'ファイルはすでに提出済みです。ページを再読み込みしてください。',
  evidence_gone: '以前のファイルは削除されています。もう一度アップロードしてください。',
  uploads_unfinished: 'アップロードが完了していないファイルがあります。',
  upload_in_progress: '別のアップロードが進行中です。終わるまでお待ちください。',
  upload_locked: 'ファイルを保存中です。しばらくしてからもう一度お試しください。',
  upload_expired: `アップロードが長時間中断されました。${UPLOAD_AGAIN}`,
  checksum_mismatch: `ファイルが送信中に破損しました。${UPLOAD_AGAIN}`,
  storage_limit_reached: '保存容量の上限に達したため、これ以上ファイルを保存できません。',
  storage_full: `サービスの空き容量が不足しています。${LATER}`,
  rate_limited: '試行回数が多すぎます。しばらく待ってからもう一度お試しください。',
  request_timeout: '送信が中断されました。もう一度お試しください。',
  internal_error: `サービスでエラーが発生しました。${LATER}`,
  overloaded: `サービスが混み合っています。${LATER}`,
  store_unavailable: `サービスを一時的に利用できません。${LATER}`,
  object_unavailable: `このファイルは一時的に利用できません。${LATER}`,
  stopping: `サービスを再起動しています。${LATER}`,
}
