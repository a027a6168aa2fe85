import { chosenItems, droppedItems, type PickedItems } from '@kitseal/kit/in-browser'
import { type DragEvent, useRef, useState } from 'react'

export interface DropTarget {
  /** Names the input for screen readers. */
  readonly label: string
  readonly isDisabled?: boolean
  onItems(items: PickedItems): void
}

/** A part of the page that takes files. What is dropped elsewhere is left to the page. */
export function useDropTarget({ label, isDisabled = false, onItems }: DropTarget) {
  const [isOver, setIsOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const drag = (event: DragEvent, over: boolean): void => {
    if (isDisabled) return
    event.preventDefault()
    event.nativeEvent.stopPropagation()
    setIsOver(over)
  }
  return {
    isOver,
    /** Asks for files. */
    choose: () => input.current?.click(),
    target: {
      onDragEnter: (event: DragEvent) => drag(event, true),
      onDragOver: (event: DragEvent) => drag(event, true),
      onDragLeave: (event: DragEvent) => drag(event, false),
      onDrop: (event: DragEvent) => {
        drag(event, false)
        if (!isDisabled) void droppedItems(event.dataTransfer).then(onItems)
      },
    },
    input: (
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          const items = chosenItems(currentTarget.files ?? new DataTransfer().files)
          // Lets the user choose the same file again after it has changed on disk.
          currentTarget.value = ''
          onItems(items)
        }}
      />
    ),
  }
}
