import type { ReactNode } from 'react'
import { Files, type ListedFile } from '../files.tsx'

export interface MarkedFile extends ListedFile {
  /** Shown beside the name. */
  readonly mark?: ReactNode
  /** A button beside the links. */
  readonly action?: ReactNode
}

export interface FileListProps {
  readonly files: readonly MarkedFile[]
  onPreview?(isOpen: boolean): void
}

/** Files with a preview and a download link each. */
export function FileList(props: FileListProps) {
  return <Files {...props} state={({ mark }) => mark} actions={({ action }) => action} />
}
