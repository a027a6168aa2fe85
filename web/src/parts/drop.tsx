import { chosenItems, droppedItems, listenForDrops, type PickedItems } from '@kitseal/kit/in-browser'
import { type DragEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'

interface PickerProps {
  readonly isFolder?: boolean
  readonly label: string
  /** Names it for screen readers, if several are called alike. */
  readonly name?: string
  /** The `accept` attribute of the file input. */
  readonly accept?: string | undefined
  readonly isMultiple?: boolean
  readonly isDisabled?: boolean
  /** What is picked, for tests. */
  readonly pick?: 'list'
  onItems(items: PickedItems): void
}

/** A button that asks the browser for files, or for a folder. Phones offer the camera too. */
export function Picker({ isFolder = false, label, name = label, isDisabled = false, ...props }: PickerProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        icon={isFolder ? 'folder' : 'upload'}
        aria-label={name}
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={(element) => {
          input.current = element
          if (isFolder) element?.setAttribute('webkitdirectory', '')
        }}
        type="file"
        hidden
        aria-label={name}
        data-pick={isFolder ? 'folder' : (props.pick ?? 'files')}
        accept={props.accept}
        multiple={props.isMultiple ?? true}
        onChange={({ currentTarget }) => {
          const items = chosenItems(currentTarget.files ?? new DataTransfer().files)
          // Lets the user choose the same file again after it has changed on disk.
          currentTarget.value = ''
          props.onItems(items)
        }}
      />
    </>
  )
}

export interface DropAreaProps {
  readonly title: ReactNode
  readonly hint?: ReactNode
  readonly isDisabled?: boolean
  /** One row, for adding to files that are already chosen. */
  readonly isCompact?: boolean
  /** Files are being dragged over the page. */
  readonly isOver: boolean
  /** The buttons. */
  readonly children: ReactNode
}

/** Where files are dropped or chosen: the whole page takes them. */
export function DropArea({
  title,
  hint,
  isDisabled = false,
  isCompact = false,
  isOver,
  children,
}: DropAreaProps) {
  return (
    <div
      className={`drop-area ${isOver ? 'over' : ''} ${isCompact ? 'compact' : ''}`}
      data-disabled={isDisabled || undefined}
    >
      <Icon name="upload" size={isCompact ? 22 : 34} />
      <p className="strong">{title}</p>
      {hint !== undefined && <p className="quiet">{hint}</p>}
      <div className="row centred">{children}</div>
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

/** A part of the page that takes files. What is dropped elsewhere is left to the page. */
export function useDropTarget(onItems: (items: PickedItems) => void, isDisabled = false) {
  const [isOver, setIsOver] = useState(false)
  const drag = (event: DragEvent, over: boolean): void => {
    if (isDisabled) return
    event.preventDefault()
    event.nativeEvent.stopPropagation()
    setIsOver(over)
  }
  return {
    isOver,
    target: {
      onDragEnter: (event: DragEvent) => drag(event, true),
      onDragOver: (event: DragEvent) => drag(event, true),
      onDragLeave: (event: DragEvent) => drag(event, false),
      onDrop: (event: DragEvent) => {
        drag(event, false)
        if (!isDisabled) void droppedItems(event.dataTransfer).then(onItems)
      },
    },
  }
}

export interface DropBoxProps extends Omit<PickerProps, 'isFolder'> {
  readonly hint: ReactNode
}

/** The place for the files of one thing among others. */
export function DropBox({ hint, ...props }: DropBoxProps) {
  const { isOver, target } = useDropTarget(props.onItems, props.isDisabled)
  return (
    <div className={`drop-box ${isOver ? 'over' : ''}`} {...target}>
      <Picker {...props} />
      <span className="quiet drop-hint">{hint}</span>
    </div>
  )
}
