import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { texts } from '../../texts/index.ts'
import { useAllowed } from '../session.tsx'
import { ShareDialog, type ShareDialogProps } from './share-dialog.tsx'

/** Opens the dialog that shares a kit. Not shown to viewers. */
export function ShareButton({ kitId, label, paths }: Omit<ShareDialogProps, 'onClose'>) {
  const [isOpen, setIsOpen] = useState(false)
  if (!useAllowed('shares').is) return null
  return (
    <>
      <Button leftSection={<Icon name="share" />} onClick={() => setIsOpen(true)}>
        {texts.console.shares.share}
      </Button>
      {isOpen && <ShareDialog kitId={kitId} label={label} paths={paths} onClose={() => setIsOpen(false)} />}
    </>
  )
}
