import type { Submission } from '@kitseal/client'
import { Anchor, Autocomplete } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { nameText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { FormDialog } from '../dialogs.tsx'
import { useAllowed } from '../session.tsx'

/** The series of a kit, or how to add it to one. */
export function SeriesOf({ submission }: { readonly submission: Submission }) {
  const [isOpen, setOpen] = useState(false)
  const t = texts.console.series
  const { series } = submission
  const isAllowed = useAllowed('submit').is
  if (series !== null) return t.of(nameText(series))
  if (!isAllowed) return null
  return (
    <>
      <Anchor component="button" type="button" onClick={() => setOpen(true)}>
        {t.add}
      </Anchor>
      {isOpen && <AddDialog submission={submission} onClose={() => setOpen(false)} />}
    </>
  )
}

function AddDialog({ submission, onClose }: { readonly submission: Submission; onClose(): void }) {
  const [name, setName] = useState('')
  const known = useQuery({ queryKey: ['series'], queryFn: () => api.listSeries({ limit: 100 }) })
  const t = texts.console.series
  return (
    <FormDialog
      title={t.add}
      action={t.add}
      isReady={name.trim() !== ''}
      stale={['submission', submission.submission_id]}
      run={() => api.updateSubmission(submission.submission_id, { series: name.trim() })}
      onClose={onClose}
    >
      <Autocomplete
        label={t.addLabel}
        description={t.addHint}
        data={(known.data?.data ?? []).map(({ series }) => series)}
        value={name}
        maxLength={100}
        onChange={setName}
      />
    </FormDialog>
  )
}
