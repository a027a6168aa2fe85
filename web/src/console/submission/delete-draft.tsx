import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { navigate } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'

/** Asks, deletes the draft and returns to the list. */
export function DeleteDraft({ id }: { readonly id: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const client = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => api.deleteSubmission(id),
    onSuccess: () => {
      void client.invalidateQueries()
      navigate('/console/submissions', { replace: true })
    },
  })
  const t = texts.console.submission.draft.delete
  return (
    <>
      <Button variant="default" leftSection={<Icon name="trash" size={16} />} onClick={() => setIsOpen(true)}>
        {t.action}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        title={t.title}
        text={t.text}
        action={t.action}
        mutation={deleting}
        onClose={() => setIsOpen(false)}
        onConfirm={() => deleting.mutate()}
      />
    </>
  )
}
