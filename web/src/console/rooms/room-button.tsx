import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../core/texts.ts'
import { useAllowed } from '../session.tsx'
import { RoomDialog, type RoomDialogProps } from './room-dialog.tsx'

/** Opens the dialog that opens a room. Not shown to viewers. */
export function RoomButton(props: Omit<RoomDialogProps, 'onClose'>) {
  const [isOpen, setIsOpen] = useState(false)
  if (!useAllowed('shares').is) return null
  return (
    <>
      <Button variant="default" leftSection={<Icon name="inbox" />} onClick={() => setIsOpen(true)}>
        {t('console.rooms.open')}
      </Button>
      {isOpen && <RoomDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  )
}
