import type { Share, ShareList } from '@kitseal/client'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card, Empty, Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Table } from '../../parts/table.tsx'
import { Time, TimeText } from '../../parts/time.tsx'
import { nameText } from '../../readable.ts'
import { Link, navigate } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { queryText } from '../../query-text.ts'
import { api, pageAt } from '../client.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { LoadMore } from '../load-more.tsx'
import { Loading, Problem } from '../problem.tsx'
import { RowButton } from '../row-button.tsx'
import { useAllowed } from '../session.tsx'
import { AccessLog } from './access-log.tsx'

type Listed = ShareList['data'][number]
type Open = { readonly is: 'revoke' | 'accesses'; readonly share: Listed }

/** Every share of the workspace, with its use. */
export function SharesPage() {
  const list = useInfiniteQuery({
    queryKey: ['shares'],
    queryFn: ({ pageParam }) => api.listShares({ ...pageAt(pageParam), limit: 100 }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  })
  const [open, setOpen] = useState<Open>()
  const close = (): void => setOpen(undefined)
  const shares = list.data?.pages.flatMap((page) => page.data) ?? []
  const t = texts.console.shares
  const toKits = (
    <Button
      variant={shares.length > 0 ? 'default' : 'filled'}
      leftSection={<Icon name="share" />}
      onClick={() => navigate('/console/submissions?status=PASS')}
    >
      {t.choose}
    </Button>
  )
  return (
    <>
      <Heading
        title={texts.console.titles.shares}
        lead={t.lead}
        actions={shares.length > 0 ? toKits : undefined}
      />
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.data !== undefined && shares.length === 0 && (
        <section className="card">
          <Empty icon="share" title={t.none.title} action={toKits}>
            {t.none.text}
          </Empty>
        </section>
      )}
      {shares.length > 0 && <Rows shares={shares} onOpen={setOpen} />}
      <LoadMore query={list} />
      <RevokeShare share={open?.is === 'revoke' ? open.share : undefined} onClose={close} />
      {open?.is === 'accesses' && <AccessLog share={open.share} onClose={close} />}
    </>
  )
}

function Rows({ shares, onOpen }: { readonly shares: readonly Listed[]; onOpen(open: Open): void }) {
  const { is: mayRevoke } = useAllowed('shares')
  const t = texts.console.shares
  return (
    <Card className="flush">
      <Table
        columns={[
          t.columns.what,
          t.columns.status,
          t.columns.used,
          { name: t.columns.actions, of: 'actions' },
        ]}
      >
        <tbody>
          {shares.map((share) => (
            <tr key={share.share_id} data-status={share.status}>
              <td className="long">
                <Link href={`/console/submissions${queryText({ q: share.kit_id })}`} className="row-link">
                  {nameText(share.label)}
                </Link>
                <span className="quiet below">{contentOf(share)}</span>
              </td>
              <td data-name={t.columns.status}>
                <ShareStatus status={share.status} />
                <span className="quiet below nowrap">
                  {share.status === 'active' ? (
                    <TimeText text={t.until} at={endOf(share)} as="relative" />
                  ) : (
                    <Time at={endOf(share)} as="relative" />
                  )}
                </span>
              </td>
              <td data-name={t.columns.used}>
                <Used share={share} />
              </td>
              <td className="actions">
                <RowButton
                  text={t.accesses.action}
                  subject={share.label}
                  isDangerous={false}
                  onClick={() => onOpen({ is: 'accesses', share })}
                />
                {mayRevoke && share.revoked_at === null && share.status !== 'expired' && (
                  <RowButton
                    text={t.revoke.action}
                    subject={share.label}
                    onClick={() => onOpen({ is: 'revoke', share })}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

const LOOKS = {
  active: ['check', 'passed'],
  expired: ['clock', 'expired'],
  revoked: ['cross', 'failed'],
  exhausted: ['dash', 'draft'],
} as const

function ShareStatus({ status }: Pick<Listed, 'status'>) {
  const [icon, look] = LOOKS[status]
  return (
    <span className={`badge ${look}`}>
      <Icon name={icon} size={14} />
      {texts.console.shares.statuses[status]}
    </span>
  )
}

function contentOf({ paths, has_password, note, recipients }: Listed): string {
  const t = texts.console.shares
  const what = paths === null ? t.wholeKit : t.files(paths.length)
  const people = recipients.map(({ email }) => nameText(email)).join(', ')
  return [
    what,
    ...(people === '' ? [] : [t.recipients(people)]),
    ...(has_password ? [t.hasPassword] : []),
    ...(note === null ? [] : [nameText(note)]),
  ].join(' · ')
}

const endOf = ({ revoked_at, status, last_access_at, expires_at }: Listed): string =>
  revoked_at ?? (status === 'exhausted' ? (last_access_at ?? expires_at) : expires_at)

function Used({ share }: { readonly share: Listed }) {
  const t = texts.console.shares
  const { last_access_at: at } = share
  if (at === null) return <span className="quiet">{t.neverUsed}</span>
  return (
    <>
      {t.downloads(share.downloads, share.max_downloads)}
      <Time at={at} as="ago" className="quiet below nowrap" />
    </>
  )
}

function RevokeShare({ share, onClose }: { readonly share: Listed | undefined; onClose(): void }) {
  const queries = useQueryClient()
  const revoking = useMutation({
    mutationFn: (id: Share['share_id']) => api.revokeShare(id),
    onSuccess: async () => {
      onClose()
      await queries.invalidateQueries({ queryKey: ['shares'] })
    },
  })
  const t = texts.console.shares.revoke
  return (
    <ConfirmDialog
      title={t.title(share?.label ?? '')}
      text={t.text}
      action={t.action}
      isOpen={share !== undefined}
      mutation={revoking}
      onClose={onClose}
      onConfirm={() => share !== undefined && revoking.mutate(share.share_id)}
    />
  )
}
