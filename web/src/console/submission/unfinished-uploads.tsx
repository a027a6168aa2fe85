import { useQuery } from '@tanstack/react-query'
import { Card, Problem } from '../../parts/blocks.tsx'
import { sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { Button } from '../../parts/button.tsx'
import { useChange } from '../queries.tsx'

export interface UnfinishedUploadsProps {
  readonly submissionId: string
  /** Files that this page uploads. */
  readonly chosen: ReadonlySet<string>
  readonly canChange: boolean
}

/** Large files that did not arrive completely. They must be continued or deleted before the draft is submitted. */
export function UnfinishedUploads({ submissionId, chosen, canChange }: UnfinishedUploadsProps) {
  const queryKey = ['uploads', submissionId]
  const { data } = useQuery({ queryKey, queryFn: () => api.listUploads(submissionId) })
  const deleting = useChange(queryKey, (id: string) => api.deleteUpload(submissionId, id))
  const left = (data?.data ?? []).filter(({ name }) => !chosen.has(name))
  if (left.length === 0) return null
  return (
    <Card title={t('console.submission.draft.unfinished.title')}>
      <p className="quiet">{t('console.submission.draft.unfinished.text')}</p>
      {deleting.error !== null && <Problem error={deleting.error} />}
      <div>
        {left.map(({ upload_id, name, offset_bytes, size_bytes }) => (
          <div key={upload_id} className="row">
            <span className="long">{name}</span>
            <span className="quiet">
              {t('console.submission.draft.unfinished.progress', {
                done: sizeText(offset_bytes),
                all: sizeText(size_bytes),
              })}
            </span>
            {canChange && (
              <Button
                look="quiet"
                size="small"
                subject={name}
                isBusy={deleting.isPending && deleting.variables === upload_id}
                onClick={() => deleting.mutate(upload_id)}
              >
                {t('console.submission.draft.unfinished.remove')}
              </Button>
            )}
          </div>
        ))}
      </div>
    </Card>
  )
}
