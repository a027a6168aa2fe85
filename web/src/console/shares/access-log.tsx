import { useQuery } from '@tanstack/react-query'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'
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
  const t = texts.console.shares.accesses
  return (
    <Dialog title={t.title(nameText(share.label))} onClose={onClose}>
      <QueryState query={log} />
      {log.data?.data.length === 0 && <p className="quiet">{t.none}</p>}
      {(log.data?.data.length ?? 0) > 0 && (
        <RowTable
          rows={log.data?.data ?? []}
          keyOf={({ seq }) => seq}
          columns={[
            { name: t.columns.at, cell: ({ created_at }) => <Time at={created_at} /> },
            {
              name: t.columns.what,
              cell: ({ kind }) => t.kinds[kind],
              below: ({ name }) => name && nameText(name),
            },
            {
              name: t.columns.from,
              cell: ({ address }) => address,
              below: ({ recipient }) => recipient && t.linkOf(nameText(recipient)),
            },
          ]}
        />
      )}
      {log.data?.next_cursor !== null && log.data !== undefined && <p className="quiet">{t.newest}</p>}
    </Dialog>
  )
}
