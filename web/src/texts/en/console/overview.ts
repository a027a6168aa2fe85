import { counted } from '../../../readable.ts'

export const overview = {
  attention: 'Needs attention',
  nothing: 'Nothing needs your attention.',
  failed: (label: string) => `“${label}” failed`,
  due: (title: string) => `Request “${title}” is due`,
  overdue: (title: string) => `Request “${title}” is overdue`,
  credits: (count: number) => (count === 0 ? 'No credits left' : `${counted(count, 'credit')} left`),
  key: (label: string) => `API key “${label}” expires`,
  share: (label: string) => `Share of “${label}” expires`,
  retention: (kits: number) => `Evidence of ${counted(kits, 'kit')} will be deleted by the retention rule`,
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
    sample: 'Try it with sample files',
    own: 'Use my own files',
    viewer: 'Ask a member or an owner to submit evidence: your role can only read.',
  },
  sampleName: 'Sample: access review, Q3',
}
