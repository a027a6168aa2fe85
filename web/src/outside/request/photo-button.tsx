import type { PickedItems } from '@kitseal/kit/in-browser'
import { Button } from '@mantine/core'
import { useRef } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../core/texts.ts'
import { photoName } from './photo-name.ts'

export interface PhotoButtonProps {
  /** What the photo is for, for screen readers. */
  readonly label: string
  readonly taken: readonly string[]
  onItems(items: PickedItems): void
}

/** Opens the camera. Shown on touch screens only: elsewhere browsers ask for a file instead. */
export function PhotoButton({ label, taken, onItems }: PhotoButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        className="photo-button"
        variant="default"
        size="sm"
        leftSection={<Icon name="camera" />}
        aria-label={label}
        onClick={() => input.current?.click()}
      >
        {t('request.takePhoto')}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        data-pick="photo"
        aria-label={label}
        onChange={({ currentTarget }) => {
          const [photo] = currentTarget.files ?? []
          currentTarget.value = ''
          if (photo === undefined) return
          const named = new File([photo], photoName(photo, new Date(), taken), { type: photo.type })
          onItems({ files: [named], folders: [] })
        }}
      />
    </>
  )
}
