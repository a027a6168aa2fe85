import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { navigate } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'

/** Asks, deletes the draft and returns to the list. */
export function DeleteDraft({ id }: { readonly id: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const t = texts.console.submission.draft.delete
  return (
    <>
      <Button variant="default" leftSection={<Icon name="trash" size={16} />} onClick={() => setIsOpen(true)}>
        {t.action}
      </Button>
      {isOpen && (
        <ConfirmDialog
          {...t}
          stale={[]}
          run={() => api.deleteSubmission(id)}
          onDone={() => navigate('/console/submissions', { replace: true })}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
