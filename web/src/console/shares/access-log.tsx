import type { Share } from '@kitseal/client'
import { useQuery } from '@tanstack/react-query'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { Dialog } from '../confirm-dialog.tsx'
import { Loading, Problem } from '../problem.tsx'

export interface AccessLogProps {
  readonly share: Pick<Share, 'share_id' | 'label'>
  onClose(): void
}

/** Who used a share, and when. */
export function AccessLog({ share, onClose }: AccessLogProps) {
  const log = useQuery({
    queryKey: ['shares', share.share_id, 'accesses'],
    queryFn: () => api.listShareAccesses(share.share_id, { limit: 100 }),
  })
  const t = texts.console.shares.accesses
  return (
    <Dialog title={t.title(nameText(share.label))} isOpen onClose={onClose}>
      {log.error !== null && <Problem error={log.error} onRetry={() => void log.refetch()} />}
      {log.isPending && <Loading />}
      {log.data?.data.length === 0 && <p className="quiet">{t.none}</p>}
      {(log.data?.data.length ?? 0) > 0 && (
        <Table columns={[t.columns.at, t.columns.what, t.columns.from]}>
          <tbody>
            {log.data?.data.map(({ seq, created_at, kind, name, address, recipient }) => (
              <tr key={seq}>
                <td data-name={t.columns.at}>
                  <Time at={created_at} />
                </td>
                <td data-name={t.columns.what}>
                  {t.kinds[kind]}
                  {name !== null && <span className="quiet below">{nameText(name)}</span>}
                </td>
                <td data-name={t.columns.from}>
                  {address}
                  {recipient !== null && <span className="quiet below">{t.linkOf(nameText(recipient))}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {log.data?.next_cursor !== null && log.data !== undefined && <p className="quiet">{t.newest}</p>}
    </Dialog>
  )
}
