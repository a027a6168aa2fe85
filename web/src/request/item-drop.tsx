import { chosenItems, droppedItems, type PickedItems } from '@kitseal/kit/in-browser'
import { Button } from '@mantine/core'
import { type DragEvent, useRef, useState } from 'react'
import { Icon } from '../parts/icons.tsx'
import { texts } from '../texts/index.ts'

export interface ItemDropProps {
  /** What the files are for, for screen readers. */
  readonly label: string
  readonly isFirst: boolean
  onItems(items: PickedItems): void
}

/** The drop target of one item. */
export function ItemDrop({ label, isFirst, onItems }: ItemDropProps) {
  const [isOver, setIsOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const t = texts.request
  const verb = isFirst ? t.chooseFiles : t.addFiles
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setIsOver(false)
    void droppedItems(event.dataTransfer).then(onItems)
  }
  return (
    <div
      className={`item-drop ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Button
        variant="default"
        size="sm"
        leftSection={<Icon name="upload" />}
        aria-label={t.chooseFor(verb, label)}
        onClick={() => input.current?.click()}
      >
        {verb}
      </Button>
      <span className="quiet item-drop-hint">{t.dropHint}</span>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={t.chooseFor(verb, label)}
        data-item={label}
        onChange={({ currentTarget }) => {
          const items = chosenItems(currentTarget.files ?? new DataTransfer().files)
          currentTarget.value = ''
          onItems(items)
        }}
      />
    </div>
  )
}
