import type { rooms as english } from '../../en/console/rooms.ts'
import { counted } from '../words.ts'

export const rooms: typeof english = {
  rooms: 'ルーム',
  open: 'ルームを開設',
  title: 'レビュー担当者のためのルームを開設',
  created: 'ルームを開設しました',
  toRoom: 'ルームへ',
  name: 'ルームの名前',
  nameHint: 'レビュー担当者に表示されます。例：「2026年度監査」',
  what: 'ルームの内容',
  chosen: '選択したキット',
  wholeSeries: 'シリーズ（ルームの開設中に追加されるキットを含む）',
  series: 'シリーズ',
  seriesHint: '最新の100個のキット。',
  find: 'キットを検索',
  count: (kits) => `${counted(kits, '個のキット')}を選択中`,
  ofSeries: (series) => `シリーズ「${series}」（今後のキットを含む）`,
  columns: { room: 'ルーム', status: '状態', questions: '質問', used: '最終利用' },
  questions: (count) => `未回答の質問${counted(count, '件')}`,
  noQuestions: '未回答なし',
  reviewers: 'レビュー担当者',
  looked: '閲覧',
  toKit: 'キットへ',
  kit: 'キット全体',
  notReviewed: 'レビュー済みの印を付けた人はまだいません。',
  boundary: 'リンクを持つ人には、このルームのすべてのコメントとその投稿者が表示されます。',
}
