import { count, member, oneOrMany, recordsIn } from '../members.ts'
import type { Recogniser } from '../recogniser.ts'
import { Tally } from '../tally.ts'

const STATES = {
  open: 'open',
  dismissed: 'dismissed',
  auto_dismissed: 'dismissed',
  fixed: 'fixed',
  resolved: 'resolved',
}

/** What `gh api` prints, in one list or one for each page. The dates are those of the alerts. */
const alerts = (kind: string, title: string): Recogniser => ({
  format: `GitHub ${title} alerts`,
  mark: new RegExp(`/${kind}/alerts/`),
  reads: 'json',
  read(values) {
    const all = recordsIn(values)
    const repositories = all.map(
      (one) =>
        new RegExp(`/repos/([\\w.-]+/[\\w.-]+)/${kind}/alerts/\\d+$`).exec(String(member(one, 'url')))?.[1],
    )
    if (all.length === 0 || repositories.includes(undefined)) return undefined
    const counts = new Tally('open')
    for (const one of all) count(counts, STATES, member(one, 'state'))
    return {
      tool: member(all[0], 'tool', 'name') ?? 'GitHub',
      version: member(all[0], 'tool', 'version'),
      target: oneOrMany('repository', repositories, 'repositories'),
      counts,
    }
  },
})

export const CODE_SCANNING_ALERTS = alerts('code-scanning', 'code scanning')
export const DEPENDABOT_ALERTS = alerts('dependabot', 'Dependabot')
export const SECRET_SCANNING_ALERTS = alerts('secret-scanning', 'secret scanning')
