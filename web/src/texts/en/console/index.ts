import { counted } from '../../../readable.ts'
import { access } from './access.ts'
import { audit } from './audit.ts'
import { evidence } from './evidence.ts'
import { submissions } from './submissions.ts'
import { workspace } from './workspace.ts'

export const consoleTexts = {
  title: 'Console',
  menu: 'Menu',
  places: 'Places',
  signOut: 'Sign out',
  close: 'Close',
  cancel: 'Cancel',
  more: 'Load more',
  toSubmissions: 'All submissions',
  secretDone: 'I have kept it',
  titles: {
    submissions: 'Submissions',
    submission: 'Submission',
    new: 'New submission',
    compare: 'Compare kits',
    keys: 'API keys',
    credits: 'Credits',
    members: 'Members',
    audit: 'Audit trail',
    settings: 'Workspace',
    account: 'Your account',
  },
  stages: {
    draft: 'Waits for files',
    queued: 'Queued',
    running: 'Examined now',
    passed: 'PASS',
    failed: 'FAIL',
  },
  remedy: 'What to do:',
  files: (count: number) => counted(count, 'file'),
  blockers: (count: number, areMore = false) =>
    areMore ? `${count.toLocaleString('en')}+ blockers` : counted(count, 'blocker'),
  blockersTitle: (blockers: string, count: number) =>
    `${blockers}, ${count === 1 ? '' : 'each '}with what to do`,
  blockerPlaces: {
    count: (count: number) => `In ${counted(count, 'place')}`,
    what: (count: number) => `all ${count.toLocaleString('en')} paths`,
    more: (count: number) => `and ${count.toLocaleString('en')} more`,
  },
  notEntitled: {
    title: 'This workspace may not use the service',
    text: (name: string) =>
      `The plan of “${name}” has no access to the interface. Ask whoever runs the service.`,
  },
  audit,
  ...access,
  ...evidence,
  ...submissions,
  ...workspace,
}
