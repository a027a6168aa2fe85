import { listenForDrops } from './drops.ts'
import { t } from './words.ts'

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
