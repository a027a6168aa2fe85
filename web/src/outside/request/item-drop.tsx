import type { PickedItems } from '@kitseal/kit/in-browser'
import { Button } from '@mantine/core'
import { useDropTarget } from '../../parts/drop-target.tsx'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../core/texts.ts'
import { PhotoButton } from './photo-button.tsx'

export interface ItemDropProps {
  /** What the files are for, for screen readers. */
  readonly label: string
  readonly isFirst: boolean
  /** Names that a photo must not get. */
  readonly taken: readonly string[]
  onItems(items: PickedItems): void
}

/** The drop target of one item. */
export function ItemDrop({ label, isFirst, taken, onItems }: ItemDropProps) {
  const verb = isFirst ? t('request.chooseFiles') : t('request.addFiles')
  const name = t('request.chooseFor', { verb, item: label })
  const { isOver, target, input, choose } = useDropTarget({ label: name, onItems })
  return (
    <div className={`item-drop ${isOver ? 'over' : ''}`} {...target}>
      <Button
        variant="default"
        size="sm"
        leftSection={<Icon name="upload" />}
        aria-label={name}
        onClick={choose}
      >
        {verb}
      </Button>
      <PhotoButton
        label={t('request.chooseFor', { verb: t('request.takePhoto'), item: label })}
        taken={taken}
        onItems={onItems}
      />
      <span className="quiet item-drop-hint">{t('request.dropHint')}</span>
      {input}
    </div>
  )
}
