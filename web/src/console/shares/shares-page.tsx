import type { ShareList } from '@kitseal/client'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Badge } from '../../parts/badge.tsx'
import { Card, EmptyCard, Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../core/readable.ts'
import { Link, navigate } from '../../core/router.tsx'
import { rich, t } from '../../core/texts.ts'
import { queryText } from '../../core/query-text.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'
import { LoadMore } from '../load-more.tsx'
import { QueryState } from '../problem.tsx'
import { RowButton } from '../row-button.tsx'
import { useAllowed } from '../session.tsx'
import { usePages } from '../use-pages.ts'
import { AccessLog } from './access-log.tsx'
import { ChangeShare } from './change-share.tsx'
import { ofShare } from './linked.ts'
import { RoomButton } from '../rooms/room-button.tsx'
import { RoomsCard } from '../rooms/rooms-card.tsx'
import { ShareLinks } from './share-links.tsx'
import { LOOKS } from './share-looks.ts'
import { SHARES } from './shares-key.ts'

type Listed = ShareList['data'][number]
type Open = { readonly is: 'revoke' | 'accesses' | 'change' | 'links'; readonly share: Listed }

/** Every share of the workspace, with its use. */
export function SharesPage() {
  const list = usePages(SHARES, (page, options) => api.listShares({ ...page, limit: 100 }, options))
  const [opened, setOpen] = useState<Open>()
  const close = (): void => setOpen(undefined)
  const { rows: shares } = list
  const newest = shares.find(({ share_id }) => share_id === opened?.share.share_id)
  const open = opened && newest && { ...opened, share: newest }
  const toKits = useAllowed('shares').is && (
    <Button
      variant={shares.length > 0 ? 'default' : 'filled'}
      leftSection={<Icon name="share" />}
      onClick={() => navigate('/console/submissions?status=PASS')}
    >
      {t('console.shares.choose')}
    </Button>
  )
  return (
    <>
      <Heading
        title={t('console.titles.shares')}
        lead={t('console.shares.lead')}
        actions={
          <>
            <RoomButton />
            {shares.length > 0 && toKits}
          </>
        }
      />
      <RoomsCard />
      <QueryState query={list} />
      {list.isEmpty && (
        <EmptyCard
          icon="share"
          title={t('console.shares.none.title')}
          text={t('console.shares.none.text')}
          action={toKits}
        />
      )}
      {shares.length > 0 && <Rows shares={shares} onOpen={setOpen} />}
      <LoadMore query={list} />
      {open?.is === 'revoke' && (
        <ConfirmDialog
          action={t('console.shares.revoke.action')}
          text={t('console.shares.revoke.text')}
          title={t('console.shares.revoke.title', { label: open.share.label })}
          stale={SHARES}
          run={() => ofShare(open.share).revoke()}
          onClose={close}
        />
      )}
      {open?.is === 'accesses' && <AccessLog share={ofShare(open.share)} onClose={close} />}
      {open?.is === 'change' && <ChangeShare share={ofShare(open.share)} onClose={close} />}
      {open?.is === 'links' && <ShareLinks share={ofShare(open.share)} onClose={close} />}
    </>
  )
}

function Rows({ shares, onOpen }: { readonly shares: readonly Listed[]; onOpen(open: Open): void }) {
  const { is: mayRevoke } = useAllowed('shares')
  return (
    <Card className="flush">
      <RowTable
        rows={shares}
        keyOf={({ share_id }) => share_id}
        dataOf={({ status }) => ({ 'data-status': status })}
        columns={[
          {
            name: t('console.shares.columns.what'),
            of: 'titles',
            cell: ({ kit_id, label }) => (
              <Link href={`/console/submissions${queryText({ q: kit_id })}`} className="row-link">
                {nameText(label)}
              </Link>
            ),
            below: contentOf,
          },
          {
            name: t('console.shares.columns.status'),
            className: 'nowrap',
            cell: ({ status }) => <Badge {...LOOKS[status]}>{t(`console.shares.statuses.${status}`)}</Badge>,
            below: (share) => {
              const time = <Time at={endOf(share)} as="relative" />
              return share.status === 'active' ? rich('console.shares.until', { time }) : time
            },
          },
          { name: t('console.shares.columns.used'), cell: (share) => <Used share={share} /> },
          {
            name: t('console.shares.columns.actions'),
            of: 'actions',
            cell: (share) => (
              <>
                <RowButton
                  text={t('console.shares.accesses.action')}
                  subject={share.label}
                  isDangerous={false}
                  onClick={() => onOpen({ is: 'accesses', share })}
                />
                {mayRevoke &&
                  share.revoked_at === null &&
                  (['links', 'change'] as const).map((is) => (
                    <RowButton
                      key={is}
                      text={t(`console.shares.${is}.action`)}
                      subject={share.label}
                      isDangerous={false}
                      onClick={() => onOpen({ is, share })}
                    />
                  ))}
                {mayRevoke && share.revoked_at === null && share.status !== 'expired' && (
                  <RowButton
                    text={t('console.shares.revoke.action')}
                    subject={share.label}
                    onClick={() => onOpen({ is: 'revoke', share })}
                  />
                )}
              </>
            ),
          },
        ]}
      />
    </Card>
  )
}

function contentOf({ paths, has_password, note, recipients }: Listed): string {
  const what =
    paths === null ? t('console.shares.wholeKit') : t('console.shares.files', { count: paths.length })
  const people = recipients.map(({ email }) => nameText(email)).join(', ')
  return [
    what,
    ...(people === '' ? [] : [t('console.shares.recipients', { addresses: people })]),
    ...(has_password ? [t('console.shares.hasPassword')] : []),
    ...(note === null ? [] : [nameText(note)]),
  ].join(' · ')
}

const endOf = ({ revoked_at, status, last_access_at, expires_at }: Listed): string =>
  revoked_at ?? (status === 'exhausted' ? (last_access_at ?? expires_at) : expires_at)

function Used({ share }: { readonly share: Listed }) {
  const { last_access_at: at } = share
  if (at === null) return <span className="quiet">{t('console.shares.neverUsed')}</span>
  return (
    <>
      {share.max_downloads === null
        ? t('console.shares.downloads', { count: share.downloads })
        : t('console.shares.downloadsOf', { count: share.downloads, limit: share.max_downloads })}
      <Time at={at} as="ago" className="quiet below nowrap" />
    </>
  )
}
