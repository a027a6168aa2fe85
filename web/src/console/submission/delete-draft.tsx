import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'

/** Asks, deletes the draft and returns to the list. */
export function DeleteDraft({ id }: { readonly id: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<Icon name="trash" size={16} />} onClick={() => setIsOpen(true)}>
        {t('console.submission.draft.delete.action')}
      </Button>
      {isOpen && (
        <ConfirmDialog
          action={t('console.submission.draft.delete.action')}
          title={t('console.submission.draft.delete.title')}
          text={t('console.submission.draft.delete.text')}
          stale={[]}
          run={() => api.deleteSubmission(id)}
          onDone={() => navigate('/console/submissions', { replace: true })}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
