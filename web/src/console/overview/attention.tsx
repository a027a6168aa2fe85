import type { Overview } from '@kitseal/client'
import type { ReactNode } from 'react'
import { Card } from '../../parts/blocks.tsx'
import { Icon, type IconName } from '../../parts/icons.tsx'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../readable.ts'
import { Link } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { useMe } from '../session.tsx'

interface Item {
  readonly icon: IconName
  readonly tone: 'bad' | 'warn'
  readonly href: string
  readonly text: string
  readonly when: ReactNode
}

/** What somebody should do something about, most urgent first. Alerts about keys and the log are banners on every page. */
export function Attention({ overview }: { readonly overview: Overview }) {
  const { credits } = useMe().workspace
  const items = itemsOf(overview, credits.available)
  const t = texts.console.overview
  return (
    <Card title={t.attention}>
      {items.length === 0 && (
        <p className="quiet overview-calm">
          <Icon name="check" className="icon good" /> {t.nothing}
        </p>
      )}
      <ul className="overview-list">
        {items.map(({ icon, tone, href, text, when }, index) => (
          <li key={`${index} ${text}`}>
            <Icon name={icon} className={`icon ${tone}`} />
            <Link href={href} className="row-link">
              {text}
            </Link>
            <span className="quiet nowrap">{when}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const FEW_CREDITS = 5

function itemsOf(overview: Overview, credits: number): readonly Item[] {
  const t = texts.console.overview
  const { failed, requests, keys, shares, evidence } = overview
  const item = (icon: IconName, tone: Item['tone'], href: string, text: string, at?: string): Item => ({
    icon,
    tone,
    href,
    text,
    when: at === undefined ? null : <Time at={at} as={icon === 'cross' ? 'ago' : 'relative'} />,
  })
  return [
    ...failed.map(({ submission_id, label, failed_at }) =>
      item('cross', 'bad', `/console/submissions/${submission_id}`, t.failed(nameText(label)), failed_at),
    ),
    ...requests.map(({ evidence_request_id: id, title, due_at }) => {
      const isLate = Date.parse(due_at) < Date.now()
      const text = isLate ? t.overdue(nameText(title)) : t.due(nameText(title))
      return item('clock', isLate ? 'bad' : 'warn', `/console/requests/${id}`, text, due_at)
    }),
    ...(credits > FEW_CREDITS
      ? []
      : [item('coins', credits === 0 ? 'bad' : 'warn', '/console/credits', t.credits(credits))]),
    ...keys.map(({ label, expires_at }) =>
      item('key', 'warn', '/console/keys', t.key(nameText(label)), expires_at),
    ),
    ...shares.map(({ label, expires_at }) =>
      item('share', 'warn', '/console/shares', t.share(nameText(label)), expires_at),
    ),
    ...(evidence === null
      ? []
      : [
          item(
            'trash',
            'warn',
            '/console/submissions?status=PASS',
            t.retention(evidence.kits),
            evidence.first_at,
          ),
        ]),
  ]
}
