import { Button } from '@mantine/core'
import { chosenItems, droppedItems, listenForDrops, type PickedItems } from '@kitseal/kit/in-browser'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from './icons.tsx'

export interface DropAreaProps {
  readonly title: ReactNode
  readonly hint?: ReactNode
  readonly chooseFiles: string
  readonly chooseFolder: string
  /** The `accept` attribute of the file input. */
  readonly accept?: string
  readonly isMultiple?: boolean
  readonly isDisabled?: boolean
  /** Files are being dragged over the page. */
  readonly isOver: boolean
  onItems(items: PickedItems): void
}

/** A drop zone with buttons to choose files or a folder. */
export function DropArea(props: DropAreaProps) {
  const {
    title,
    hint,
    chooseFiles,
    chooseFolder,
    accept,
    isMultiple = false,
    isDisabled = false,
    isOver,
  } = props
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const chosen = (input: HTMLInputElement): void => {
    const items = chosenItems(input.files ?? new DataTransfer().files)
    // Lets the user choose the same file again after it has changed on disk.
    input.value = ''
    props.onItems(items)
  }
  return (
    <div className={`drop-area no-print ${isOver ? 'over' : ''}`} data-disabled={isDisabled || undefined}>
      <Icon name="upload" size={34} />
      <p className="drop-title">{title}</p>
      {hint !== undefined && <p className="quiet">{hint}</p>}
      <div className="row centred">
        <Button
          variant="default"
          disabled={isDisabled}
          leftSection={<Icon name="file" />}
          onClick={() => files.current?.click()}
        >
          {chooseFiles}
        </Button>
        <Button
          variant="default"
          disabled={isDisabled}
          leftSection={<Icon name="folder" />}
          onClick={() => folder.current?.click()}
        >
          {chooseFolder}
        </Button>
      </div>
      <input
        ref={files}
        type="file"
        hidden
        data-pick="files"
        accept={accept}
        multiple={isMultiple}
        onChange={({ currentTarget }) => chosen(currentTarget)}
      />
      <input
        ref={(input) => {
          folder.current = input
          input?.setAttribute('webkitdirectory', '')
        }}
        type="file"
        hidden
        data-pick="folder"
        onChange={({ currentTarget }) => chosen(currentTarget)}
      />
    </div>
  )
}

export interface PageDrops {
  /** Drops are ignored, but the browser does not navigate to the file either. */
  readonly isDisabled: boolean
  onItems(items: PickedItems): void
  /** The browser could not read the dropped files. */
  onUnreadable(why: string): void
}

/** Accepts drops anywhere on the page. Returns whether files are being dragged over it. */
export function usePageDrops({ isDisabled, onItems, onUnreadable }: PageDrops): boolean {
  const [isOver, setIsOver] = useState(false)
  const handlers = useRef({ onItems, onUnreadable })
  useEffect(() => {
    handlers.current = { onItems, onUnreadable }
  })
  useEffect(
    () =>
      listenForDrops({
        onDragChange: (isDragging) => setIsOver(isDragging && !isDisabled),
        onDrop: (transfer) => {
          if (isDisabled) return
          droppedItems(transfer).then(
            (items) => handlers.current.onItems(items),
            (error: unknown) => handlers.current.onUnreadable(String(error)),
          )
        },
      }),
    [isDisabled],
  )
  return isOver
}
