import { counted } from '../words.ts'

export const overview = {
  attention: 'Needs attention',
  nothing: 'Nothing needs your attention.',
  waiting: {
    failed: (title: string) => `“${title}” needs changes`,
    mail: (to: string, _: number, reason: string) =>
      `Mail ${to === '' ? '' : `to ${to} `}was not sent${reason === '' ? '' : `: ${reason}`}`,
    period_failed: (title: string) => `“${title}” was not sealed. Its files need changes`,
    item_late: (title: string) => `Your item “${title}” is late`,
    item_sent_back: (title: string) => `Your item “${title}” needs changes`,
    item: (title: string) => `Your item “${title}” is due`,
    review: (title: string, items: number) => `Answer to “${title}”: ${counted(items, 'item')} to review`,
    unanswered: (title: string, items: number) =>
      `Answer to “${title}”: ${counted(items, 'item')} without files. Send back, or mark as not applicable`,
    overdue: (title: string) => `Request “${title}” is overdue`,
    due: (title: string) => `Request “${title}” is due`,
    sent_back: (title: string, items: number) =>
      `Request “${title}”: ${counted(items, 'item')} sent back to the supplier`,
    question: (title: string, questions: number) =>
      `Room “${title}”: ${counted(questions, 'question')} without an answer`,
    draft: (title: string) => `Draft “${title}” has files that are not submitted`,
    share: (title: string) => `Share of “${title}” expires`,
    key: (title: string) => `API key “${title}” expires`,
    name: () => 'This workspace has no name yet',
    evidence: (_: string, kits: number) =>
      `Evidence of ${kits < 1000 ? counted(kits, 'kit') : '1,000 kits or more'} will be deleted by the retention rule`,
  },
  more: 'There is more. See Requests, Submissions and Shares.',
  toReview: 'To review',
  recent: 'Recent submissions',
  first: {
    title: 'Issue your first kit',
    text: 'A kit is evidence with a signed receipt. Anyone can check it, with or without this service.',
    steps: [
      { title: 'Choose files', text: 'They are checked in your browser before anything is uploaded.' },
      { title: 'Submit', text: 'The service checks them again, seals them and issues the kit in seconds.' },
      {
        title: 'Share the kit',
        text: 'Send a link. The recipient needs no account to check and download it.',
      },
    ],
    own: 'Use my own files',
    viewer: 'Ask a member or an owner to submit evidence: your role can only read.',
  },
}
