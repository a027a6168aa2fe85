import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from '../console/problem.tsx'
import type { ChosenFile } from './chosen-files.ts'
import { Cancelled, sealSubmission, sendFile, type SendingFile } from './upload.ts'

export type FileProgress =
  | { readonly is: 'sending'; readonly sentBytes: number }
  | { readonly is: 'sent' }
  | { readonly is: 'failed'; readonly message: string }

export type UploadState =
  | { readonly is: 'idle' }
  | { readonly is: 'sending' }
  /** Stopped on the way; what was sent stays sent. */
  | { readonly is: 'stopped'; readonly message: string | undefined }
  | { readonly is: 'done' }

export interface UseUpload {
  readonly state: UploadState
  readonly progress: ReadonlyMap<string, FileProgress>
  /** Sends what has not been sent, one file after the other, then seals. Called again, it goes on where it stopped. */
  start(submissionId: string, files: readonly ChosenFile[]): Promise<boolean>
  cancel(): void
}

export function useUpload(): UseUpload {
  const [state, setState] = useState<UploadState>({ is: 'idle' })
  const [progress, setProgress] = useState<ReadonlyMap<string, FileProgress>>(new Map())
  const current = useRef<SendingFile>(undefined)
  const sent = useRef(new Set<string>())

  const tell = useCallback((name: string, one: FileProgress | undefined) => {
    setProgress((before) => {
      const after = new Map(before)
      if (one === undefined) after.delete(name)
      else after.set(name, one)
      return after
    })
  }, [])

  const start = useCallback(
    async (submissionId: string, files: readonly ChosenFile[]): Promise<boolean> => {
      setState({ is: 'sending' })
      try {
        for (const chosen of files.filter(({ name }) => !sent.current.has(name))) {
          const { name } = chosen
          tell(name, { is: 'sending', sentBytes: 0 })
          current.current = sendFile(submissionId, chosen, (sentBytes) =>
            tell(name, { is: 'sending', sentBytes }),
          )
          try {
            await current.current.sent
          } catch (error) {
            tell(name, error instanceof Cancelled ? undefined : { is: 'failed', message: messageOf(error) })
            throw error
          }
          sent.current.add(name)
          tell(name, { is: 'sent' })
        }
        current.current = sealSubmission(submissionId)
        await current.current.sent
        setState({ is: 'done' })
        return true
      } catch (error) {
        setState({ is: 'stopped', message: error instanceof Cancelled ? undefined : messageOf(error) })
        return false
      }
    },
    [tell],
  )
  const cancel = useCallback(() => current.current?.cancel(), [])
  useEffect(() => cancel, [cancel])
  return { state, progress, start, cancel }
}
