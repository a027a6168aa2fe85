import { Button } from '@mantine/core'
import { chosenItems, droppedItems, type PickedItems } from '@kitseal/kit/in-browser'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from './icons.tsx'

export interface DropAreaProps {
  readonly title: ReactNode
  readonly hint?: ReactNode
  readonly chooseFiles: string
  readonly chooseFolder: string
  /** As of an `<input type="file">`. */
  readonly accept?: string
  readonly isMultiple?: boolean
  readonly isDisabled?: boolean
  /** Something is dragged over the page. */
  readonly isOver: boolean
  onItems(items: PickedItems): void
}

/** Takes files and folders that are chosen, and shows where to drop them. */
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
    // The same file can be chosen again after it has changed on disk.
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
  /** Nothing is taken now; the browser does not leave the page for it either. */
  readonly isDisabled: boolean
  onItems(items: PickedItems): void
  /** What was dropped cannot be read, in the browser's words. */
  onUnreadable(why: string): void
}

/**
 * Takes what is dropped anywhere on the page, also where no place for it is shown: the browser would otherwise leave
 * the page for the file. Says whether something is dragged over it.
 */
export function usePageDrops({ isDisabled, onItems, onUnreadable }: PageDrops): boolean {
  const [isOver, setIsOver] = useState(false)
  const taken = useRef({ onItems, onUnreadable })
  useEffect(() => {
    taken.current = { onItems, onUnreadable }
  })
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setIsOver(!isDisabled)
    }
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setIsOver(false)
    }
    const drop = (event: DragEvent): void => {
      setIsOver(false)
      if (!hasFiles(event) || event.dataTransfer === null) return
      event.preventDefault()
      if (isDisabled) return
      droppedItems(event.dataTransfer).then(
        (items) => taken.current.onItems(items),
        (error: unknown) => taken.current.onUnreadable(String(error)),
      )
    }
    document.addEventListener('dragover', over)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
    }
  }, [isDisabled])
  return isOver
}
