/**
 * Takes what is dropped anywhere on the page. Chromium does not let a page from file:// read a dropped folder, but
 * reads one for a field that chooses folders, as it does where one is chosen: there that field lies over the page
 * while something is dragged, and a folder is left to it.
 */
export function takeDrops(
  folderField: HTMLInputElement,
  take: (transfer: DataTransfer) => void,
  refuse: (why: string) => void,
): void {
  const hasField = location.protocol === 'file:' && 'getAsFileSystemHandle' in DataTransferItem.prototype
  document.body.classList.toggle('folders-by-field', hasField)
  let depth = 0
  const mark = (): void => void document.body.classList.toggle('dropping', depth > 0)
  addEventListener('dragenter', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    depth++
    mark()
  })
  addEventListener('dragleave', () => {
    depth = Math.max(0, depth - 1)
    mark()
  })
  // Without this the browser would leave the page for the dropped file.
  addEventListener('dragover', (event) => {
    if (hasFiles(event) && !(hasField && event.target === folderField)) event.preventDefault()
  })
  addEventListener('drop', (event) => {
    depth = 0
    mark()
    if (!hasFiles(event)) return
    const items = [...(event.dataTransfer?.items ?? [])]
    const hasFolder = items.some((item) => item.webkitGetAsEntry()?.isDirectory === true)
    const isForField = hasField && hasFolder && items.length === 1
    if (isForField && event.target === folderField) return
    event.preventDefault()
    if (hasField && hasFolder) refuse('A folder has to be dropped alone here; a key set can follow.')
    else if (event.dataTransfer !== null) take(event.dataTransfer)
  })
}

/** A text, such as a key ID, is for the field that it is dropped on. */
const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true
