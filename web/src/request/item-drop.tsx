import type { PickedItems } from '@kitseal/kit/in-browser'
import { Button } from '@mantine/core'
import { useDropTarget } from '../parts/drop-target.tsx'
import { Icon } from '../parts/icons.tsx'
import { texts } from '../texts/index.ts'
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
  const t = texts.request
  const verb = isFirst ? t.chooseFiles : t.addFiles
  const name = t.chooseFor(verb, label)
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
      <PhotoButton label={t.chooseFor(t.takePhoto, label)} taken={taken} onItems={onItems} />
      <span className="quiet item-drop-hint">{t.dropHint}</span>
      {input}
    </div>
  )
}
