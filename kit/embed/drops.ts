import { t } from './words.ts'

export interface DropHandlers {
  onDragChange(isDragging: boolean): void
  onDrop(transfer: DataTransfer): void
  /** Leaves an event to the browser's own handling. */
  isForBrowser?(event: DragEvent): boolean
}

/** Handles files dropped anywhere on the page; otherwise the browser would navigate to them. Returns how to stop. */
export function listenForDrops({ onDragChange, onDrop, isForBrowser }: DropHandlers): () => void {
  const listeners = new AbortController()
  const on = (
    type: 'dragenter' | 'dragover' | 'dragleave' | 'drop',
    listener: (event: DragEvent) => void,
  ): void => document.addEventListener(type, listener, { signal: listeners.signal })
  const onDrag = (event: DragEvent): void => {
    if (!hasFiles(event)) return
    onDragChange(true)
    if (isForBrowser?.(event) !== true) event.preventDefault()
  }
  on('dragenter', onDrag)
  on('dragover', onDrag)
  on('dragleave', (event) => {
    if (event.relatedTarget === null) onDragChange(false)
  })
  on('drop', (event) => {
    onDragChange(false)
    if (!hasFiles(event) || isForBrowser?.(event) === true) return
    event.preventDefault()
    if (event.dataTransfer !== null) onDrop(event.dataTransfer)
  })
  return () => listeners.abort()
}

/** Dropped text, such as a key ID, goes to the field under the pointer. */
const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true

/**
 * Handles drops on this page. Chromium does not let a file:// page read a dropped folder through a script, but accepts it
 * on a folder input. There the input covers the page during a drag, and folders are left to it.
 */
export function acceptDrops(
  folderInput: HTMLInputElement,
  onDrop: (transfer: DataTransfer) => void,
  onRejected: (reason: string) => void,
): void {
  const needsInput = location.protocol === 'file:' && 'getAsFileSystemHandle' in DataTransferItem.prototype
  document.body.classList.toggle('folders-by-input', needsInput)
  listenForDrops({
    onDragChange: (isDragging) => void document.body.classList.toggle('dropping', isDragging),
    isForBrowser: ({ type, target, dataTransfer }) =>
      needsInput &&
      target === folderInput &&
      (type !== 'drop' || (hasFolder(dataTransfer) && dataTransfer?.items.length === 1)),
    onDrop: (transfer) => {
      if (needsInput && hasFolder(transfer)) onRejected(t('view.page.folderAlone'))
      else onDrop(transfer)
    },
  })
}

const hasFolder = (transfer: DataTransfer | null): boolean =>
  [...(transfer?.items ?? [])].some((item) => item.webkitGetAsEntry()?.isDirectory === true)
