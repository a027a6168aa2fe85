import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from '../console/problem.tsx'
import type { ChosenFile } from './chosen-files.ts'
import { batches, Cancelled, sealSubmission, sendFiles, type SendingFile } from './upload.ts'

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

/** How far a file is that begins at this place of what is sent together. */
type ProgressOf = (startBytes: number, sizeBytes: number) => FileProgress | undefined

const sendingOf =
  (sentBytes: number): ProgressOf =>
  (startBytes, sizeBytes) => ({
    is: 'sending',
    sentBytes: Math.max(0, Math.min(sizeBytes, sentBytes - startBytes)),
  })

export function useUpload(): UseUpload {
  const [state, setState] = useState<UploadState>({ is: 'idle' })
  const [progress, setProgress] = useState<ReadonlyMap<string, FileProgress>>(new Map())
  const current = useRef<SendingFile>(undefined)
  const sent = useRef(new Set<string>())

  const tell = useCallback((batch: readonly ChosenFile[], of: ProgressOf) => {
    setProgress((before) => {
      const after = new Map(before)
      let startBytes = 0
      for (const { name, file } of batch) {
        const one = of(startBytes, file.size)
        startBytes += file.size
        if (one === undefined) after.delete(name)
        else after.set(name, one)
      }
      return after
    })
  }, [])

  const start = useCallback(
    async (submissionId: string, files: readonly ChosenFile[]): Promise<boolean> => {
      setState({ is: 'sending' })
      try {
        for (const batch of batches(files.filter(({ name }) => !sent.current.has(name)))) {
          tell(batch, () => ({ is: 'sending', sentBytes: 0 }))
          current.current = sendFiles(submissionId, batch, (sentBytes) => tell(batch, sendingOf(sentBytes)))
          try {
            await current.current.sent
          } catch (error) {
            const message = messageOf(error)
            tell(batch, () => (error instanceof Cancelled ? undefined : { is: 'failed', message }))
            throw error
          }
          for (const { name } of batch) sent.current.add(name)
          tell(batch, () => ({ is: 'sent' }))
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
