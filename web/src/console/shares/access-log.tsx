import { useQuery } from '@tanstack/react-query'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Dialog } from '../dialogs.tsx'
import { QueryState } from '../problem.tsx'
import type { Linked } from './linked.ts'

export interface AccessLogProps {
  readonly share: Linked
  onClose(): void
}

/** Who used a share, and when. */
export function AccessLog({ share, onClose }: AccessLogProps) {
  const log = useQuery({
    queryKey: ['shares', share.id, 'accesses'],
    queryFn: () => share.accesses(),
  })
  return (
    <Dialog title={t('console.shares.accesses.title', { label: nameText(share.label) })} onClose={onClose}>
      <QueryState query={log} />
      {log.data?.data.length === 0 && <p className="quiet">{t('console.shares.accesses.none')}</p>}
      {(log.data?.data.length ?? 0) > 0 && (
        <RowTable
          rows={log.data?.data ?? []}
          keyOf={({ seq }) => seq}
          columns={[
            {
              name: t('console.shares.accesses.columns.at'),
              cell: ({ created_at }) => <Time at={created_at} />,
            },
            {
              name: t('console.shares.accesses.columns.what'),
              cell: ({ kind }) => t(`console.shares.accesses.kinds.${kind}`),
              below: ({ name }) => name && nameText(name),
            },
            {
              name: t('console.shares.accesses.columns.from'),
              cell: ({ address }) => address,
              below: ({ recipient }) =>
                recipient && t('console.shares.accesses.linkOf', { address: nameText(recipient) }),
            },
          ]}
        />
      )}
      {log.data?.next_cursor !== null && log.data !== undefined && (
        <p className="quiet">{t('console.shares.accesses.newest')}</p>
      )}
    </Dialog>
  )
}
