import { Button } from '@mantine/core'
import { chosenItems, droppedItems, listenForDrops, type PickedItems } from '@kitseal/kit/in-browser'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
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
  /** One row, for adding to files that are already chosen. */
  readonly isCompact?: boolean
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
    isCompact = false,
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
    <div
      className={`drop-area no-print ${isOver ? 'over' : ''} ${isCompact ? 'compact' : ''}`}
      data-disabled={isDisabled || undefined}
    >
      <Icon name="upload" size={isCompact ? 22 : 34} />
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
  onItems(items: PickedItems): void | Promise<void>
  /** The browser could not read the dropped files. */
  onUnreadable(why: string): void
}

export interface PageDropState {
  /** Files are being dragged over the page. */
  readonly isOver: boolean
  /** Dropped or chosen files are being read. */
  readonly isReading: boolean
  /** For chosen files. */
  read(items: PickedItems): void
}

/** Accepts drops anywhere on the page. */
export function usePageDrops({ isDisabled, onItems, onUnreadable }: PageDrops): PageDropState {
  const [isOver, setIsOver] = useState(false)
  const [isReading, setIsReading] = useState(false)
  const handlers = useRef({ onItems, onUnreadable })
  useEffect(() => {
    handlers.current = { onItems, onUnreadable }
  })
  const readAll = useCallback((reading: Promise<PickedItems>) => {
    setIsReading(true)
    reading
      .then((items) => handlers.current.onItems(items))
      .catch((error: unknown) => handlers.current.onUnreadable(String(error)))
      .finally(() => setIsReading(false))
  }, [])
  useEffect(
    () =>
      listenForDrops({
        onDragChange: (isDragging) => setIsOver(isDragging && !isDisabled),
        onDrop: (transfer) => {
          if (!isDisabled) readAll(droppedItems(transfer))
        },
      }),
    [isDisabled, readAll],
  )
  return { isOver, isReading, read: (items) => readAll(Promise.resolve(items)) }
}
