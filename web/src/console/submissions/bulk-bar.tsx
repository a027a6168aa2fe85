import type { SubmissionSummary } from '@kitseal/client'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'
import { messageOf } from '../../core/error-message.ts'
import { useAllowed } from '../session.tsx'

const SUBMISSIONS = ['submissions'] as const

export interface BulkBarProps {
  readonly selected: readonly SubmissionSummary[]
  onDone(): void
}

/** What can be done with the selected submissions. */
export function BulkBar({ selected, onDone }: BulkBarProps) {
  const [open, setOpen] = useState<'tag' | 'remove'>()
  const [tag, setTag] = useState('')
  const mayTag = useAllowed('submit')
  const mayRemove = useAllowed('custody')
  const kits = selected.filter(({ stage }) => stage === 'passed')
  const close = (): void => {
    setOpen(undefined)
    setTag('')
  }
  const done = (): void => {
    close()
    onDone()
  }
  const action = { size: 'compact-md', variant: 'default' } as const
  return (
    <section className="bulk-bar" aria-label={t('console.list.bulk.selected', { count: selected.length })}>
      <strong role="status">{t('console.list.bulk.selected', { count: selected.length })}</strong>
      <Button
        {...action}
        leftSection={<Icon name="download" />}
        disabled={kits.length === 0}
        onClick={() => void downloadAll(kits)}
      >
        {t('console.list.bulk.download')}
      </Button>
      {mayTag.is && (
        <Button {...action} leftSection={<Icon name="plus" />} onClick={() => setOpen('tag')}>
          {t('console.list.bulk.tag')}
        </Button>
      )}
      {mayRemove.is && (
        <Button
          {...action}
          className="danger"
          leftSection={<Icon name="trash" />}
          onClick={() => setOpen('remove')}
        >
          {t('console.list.bulk.remove')}
        </Button>
      )}
      <Button size="compact-md" variant="subtle" onClick={onDone}>
        {t('console.list.bulk.clear')}
      </Button>
      {open === 'tag' && (
        <ConfirmDialog
          title={t('console.list.bulk.tagTitle', { count: selected.length })}
          text={t('console.list.bulk.tagHint')}
          action={t('console.list.bulk.tag')}
          isDangerous={false}
          isReady={tag.trim() !== ''}
          stale={SUBMISSIONS}
          run={() =>
            changeEach(selected, ({ submission_id, tags }) =>
              api.updateSubmission(submission_id, { tags: [...new Set([...tags, tag.trim()])] }),
            )
          }
          onDone={done}
          onClose={close}
        >
          <TextInput
            label={t('console.list.bulk.tagLabel')}
            value={tag}
            maxLength={50}
            data-autofocus
            onChange={({ currentTarget }) => setTag(currentTarget.value)}
          />
        </ConfirmDialog>
      )}
      {open === 'remove' && (
        <ConfirmDialog
          title={t('console.list.bulk.removeTitle', { count: selected.length })}
          text={t('console.list.bulk.removeText')}
          action={t('console.list.bulk.remove')}
          stale={SUBMISSIONS}
          run={() => changeEach(selected, ({ submission_id }) => api.deleteSubmission(submission_id))}
          onDone={done}
          onClose={close}
        />
      )}
    </section>
  )
}

/** Changes one after the other. The error says how many failed, with the first reason. */
async function changeEach(
  rows: readonly SubmissionSummary[],
  change: (row: SubmissionSummary) => Promise<unknown>,
): Promise<void> {
  const reasons: string[] = []
  for (const row of rows)
    await change(row).catch((error: unknown) => {
      reasons.push(messageOf(error))
    })
  const [first] = reasons
  if (first !== undefined)
    throw new Error(`${t('console.list.bulk.failed', { count: reasons.length, of: rows.length })} ${first}`)
}

/** Browsers drop downloads that start at the same moment. */
const PAUSE_MS = 400

async function downloadAll(kits: readonly SubmissionSummary[]): Promise<void> {
  for (const { submission_id } of kits) {
    const link = document.createElement('a')
    link.href = `/v1/submissions/${submission_id}/deliverables/kit.zip`
    link.download = ''
    link.click()
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
