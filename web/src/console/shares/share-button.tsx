import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { texts } from '../../texts/index.ts'
import { useAllowed } from '../session.tsx'
import { ShareDialog } from './share-dialog.tsx'

export interface ShareButtonProps {
  readonly kitId: string
  readonly label: string
  /** Paths of the evidence. */
  readonly paths: readonly string[]
}

/** Opens the dialog that shares a kit. Not shown to viewers. */
export function ShareButton({ kitId, label, paths }: ShareButtonProps) {
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
