import type { Submission } from '@kitseal/client'
import { Anchor, Autocomplete } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { FormDialog } from '../dialogs.tsx'
import { useAllowed } from '../session.tsx'

/** The series of a kit, or how to add it to one. */
export function SeriesOf({ submission }: { readonly submission: Submission }) {
  const [isOpen, setOpen] = useState(false)
  const { series } = submission
  const isAllowed = useAllowed('submit').is
  if (series !== null) return t('console.series.of', { name: nameText(series) })
  if (!isAllowed) return null
  return (
    <>
      <Anchor component="button" type="button" onClick={() => setOpen(true)}>
        {t('console.series.add')}
      </Anchor>
      {isOpen && <AddDialog submission={submission} onClose={() => setOpen(false)} />}
    </>
  )
}

function AddDialog({ submission, onClose }: { readonly submission: Submission; onClose(): void }) {
  const [name, setName] = useState('')
  const known = useQuery({ queryKey: ['series'], queryFn: () => api.listSeries({ limit: 100 }) })
  return (
    <FormDialog
      title={t('console.series.add')}
      action={t('console.series.add')}
      isReady={name.trim() !== ''}
      stale={['submission', submission.submission_id]}
      run={() => api.updateSubmission(submission.submission_id, { series: name.trim() })}
      onClose={onClose}
    >
      <Autocomplete
        label={t('console.series.addLabel')}
        description={t('console.series.addHint')}
        data={(known.data?.data ?? []).map(({ series }) => series)}
        value={name}
        maxLength={100}
        onChange={setName}
      />
    </FormDialog>
  )
}
