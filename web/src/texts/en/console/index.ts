import { access } from './access.ts'
import { audit } from './audit.ts'
import { custody } from './custody.ts'
import { evidence } from './evidence.ts'
import { overview } from './overview.ts'
import { profiles } from './profiles.ts'
import { programs } from './programs.ts'
import { reissue } from './reissue.ts'
import { requests } from './requests.ts'
import { service } from './service.ts'
import { rooms } from './rooms.ts'
import { shares } from './shares.ts'
import { submissions } from './submissions.ts'
import { federations, webhooks } from './webhooks.ts'
import { workspace } from './workspace.ts'
import { counted, number } from '../words.ts'

export const consoleTexts = {
  title: 'Console',
  menu: 'Menu',
  places: 'Console',
  manage: 'Manage',
  signOut: 'Sign out',
  frozen: {
    title: 'No kits are issued at the moment',
    text: (reason: string) =>
      `The operator has to check the log of this service first: ${reason}. You can submit evidence as usual. Its kits will be issued afterwards, without any action from you.`,
  },
  close: 'Close',
  cancel: 'Cancel',
  more: 'Load more',
  toSubmissions: 'All submissions',
  openSubmission: 'Open the submission',
  secretDone: 'I have saved it',
  graces: { '24': 'After 24 hours', '168': 'After 7 days', '1': 'After 1 hour', '0': 'Immediately' },
  overview,
  titles: {
    overview: 'Overview',
    submissions: 'Submissions',
    submission: 'Submission',
    new: 'New submission',
    requests: 'Requests',
    request: 'Request',
    newRequest: 'New request',
    programs: 'Programs',
    program: 'Program',
    newProgram: 'New program',
    shares: 'Shares',
    room: 'Room',
    profiles: 'Profiles',
    keys: 'API keys',
    webhooks: 'Webhooks',
    webhook: 'Webhook',
    members: 'Members',
    audit: 'Audit log',
    settings: 'Workspace',
    account: 'Your account',
    service: 'Service',
    serviceWorkspaces: 'All workspaces',
    serviceWorkspace: 'Workspace of the service',
  },
  stages: {
    draft: 'Draft',
    queued: 'Queued',
    running: 'Checking',
    passed: 'Sealed',
    failed: 'Needs changes',
    expired: 'Expired',
  },
  remedy: 'How to fix:',
  files: (count: number) => counted(count, 'file'),
  blockers: (count: number, areMore = false) =>
    areMore ? `${number(count)}+ blockers` : counted(count, 'blocker'),
  findings: {
    secrets: (count: number) => counted(count, 'possible secret'),
    secretsAccepted: (count: number) => `${counted(count, 'possible secret')} accepted`,
    problemsAccepted: (count: number) => `${counted(count, 'problem')} accepted`,
    notices: (count: number) => counted(count, 'notice'),
    which: (what: string, sentences: readonly string[]) => `${what}: ${sentences.join(' ')}`,
    secretAt: (path: string, place: string) => `${path}, ${place}`,
  },
  blockerPaths: {
    count: (count: number) => counted(count, 'file'),
    what: (count: number) => `all ${number(count)} paths`,
    notListed: (count: number) =>
      `${counted(count, 'more path')} not listed here. Copy the list to get all of them.`,
    more: (count: number) => `and ${number(count)} more`,
  },
  notEntitled: {
    title: 'No API access',
    text: (name: string) =>
      `The plan of ${name} does not include API access. Ask the operator of this service.`,
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
