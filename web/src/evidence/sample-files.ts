import type { ChosenFile } from './chosen-files.ts'

const REVIEW = `user,role,last sign-in,decision
ann@acme.example,administrator,2026-09-28,keep
bob@acme.example,reader,2026-09-14,keep
carl@acme.example,administrator,2026-02-03,remove
`

const APPROVAL = `Access review of the billing system, third quarter

Reviewed all 3 accounts. Removed the administrator role of carl@acme.example,
who left the team in February. Approved by Ann, owner of the system.
`

const SETTINGS = `{
  "system": "billing",
  "multi_factor_required": true,
  "session_minutes": 30
}
`

/** Files for a first kit, in the order of their names. */
export const sampleFiles = (): readonly ChosenFile[] =>
  Object.entries({
    'sample/access-review.csv': REVIEW,
    'sample/approval.txt': APPROVAL,
    'sample/settings.json': SETTINGS,
  }).map(([name, text]) => ({ name, file: new File([text], name.slice(name.indexOf('/') + 1)) }))
