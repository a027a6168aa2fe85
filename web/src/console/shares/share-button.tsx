import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../core/texts.ts'
import { useAllowed } from '../session.tsx'
import { ShareDialog, type ShareDialogProps } from './share-dialog.tsx'

/** Opens the dialog that shares a kit. Not shown to viewers. */
export function ShareButton(props: Omit<ShareDialogProps, 'onClose'>) {
  const [isOpen, setIsOpen] = useState(false)
  if (!useAllowed('shares').is) return null
  return (
    <>
      <Button leftSection={<Icon name="share" />} onClick={() => setIsOpen(true)}>
        {t('console.shares.share')}
      </Button>
      {isOpen && <ShareDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  )
}
