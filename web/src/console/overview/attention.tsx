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
  readonly key: string
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
        {items.map(({ key, icon, tone, href, text, when }) => (
          <li key={key}>
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
  const now = Date.now()
  return [
    ...overview.failed.map(({ submission_id, label, failed_at }): Item => {
      const href = `/console/submissions/${submission_id}`
      return {
        key: submission_id,
        icon: 'cross',
        tone: 'bad',
        href,
        text: t.failed(nameText(label)),
        when: <Time at={failed_at} as="ago" />,
      }
    }),
    ...overview.requests.map(({ evidence_request_id: id, title, due_at }): Item => {
      const isLate = Date.parse(due_at) < now
      const text = isLate ? t.overdue(nameText(title)) : t.due(nameText(title))
      const href = `/console/requests/${id}`
      return {
        key: id,
        icon: 'clock',
        tone: isLate ? 'bad' : 'warn',
        href,
        text,
        when: <Time at={due_at} as="relative" />,
      }
    }),
    ...(credits > FEW_CREDITS
      ? []
      : [
          {
            key: 'credits',
            icon: 'coins',
            tone: credits === 0 ? 'bad' : 'warn',
            href: '/console/credits',
            text: t.credits(credits),
            when: null,
          } as const,
        ]),
    ...overview.keys.map(({ key_id, label, expires_at }): Item => {
      const when = <Time at={expires_at} as="relative" />
      return {
        key: key_id,
        icon: 'key',
        tone: 'warn',
        href: '/console/keys',
        text: t.key(nameText(label)),
        when,
      }
    }),
    ...overview.shares.map(({ share_id, label, expires_at }): Item => {
      const when = <Time at={expires_at} as="relative" />
      return {
        key: share_id,
        icon: 'share',
        tone: 'warn',
        href: '/console/shares',
        text: t.share(nameText(label)),
        when,
      }
    }),
    ...(overview.evidence === null
      ? []
      : [
          {
            key: 'evidence',
            icon: 'trash',
            tone: 'warn',
            href: '/console/submissions?status=PASS',
            text: t.retention(overview.evidence.kits),
            when: <Time at={overview.evidence.first_at} as="relative" />,
          } as const,
        ]),
  ]
}
