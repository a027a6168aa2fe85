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
