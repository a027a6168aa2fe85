import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from '../console/problem.tsx'
import { noticeEnd } from '../console/session.tsx'
import type { ChosenFile } from './chosen-files.ts'
import { type Batch, batches, Cancelled, sealSubmission, sendFiles, type SendingFile } from './upload.ts'

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
  /**
   * Opens a submission, sends what has not been sent, one file after the other, then seals. Called again, it goes on
   * where it stopped. Says which was sealed; throws where none could be opened.
   */
  start(open: () => Promise<string>, files: readonly ChosenFile[]): Promise<string | undefined>
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
  const queries = useQueryClient()
  const [state, setState] = useState<UploadState>({ is: 'idle' })
  const [progress, setProgress] = useState<ReadonlyMap<string, FileProgress>>(new Map())
  const current = useRef<SendingFile>(undefined)
  const sent = useRef(new Set<string>())
  const tried = useRef<readonly Batch[]>([])
  const turn = useRef<'none' | 'sending' | 'cancelled'>('none')

  const tell = useCallback(({ files }: Batch, of: ProgressOf) => {
    setProgress((before) => {
      const after = new Map(before)
      let startBytes = 0
      for (const { name, file } of files) {
        const one = of(startBytes, file.size)
        startBytes += file.size
        if (one === undefined) after.delete(name)
        else after.set(name, one)
      }
      return after
    })
  }, [])

  const sendAll = useCallback(
    async (submissionId: string, files: readonly ChosenFile[]): Promise<void> => {
      const send = async (sending: () => SendingFile): Promise<void> => {
        if (turn.current === 'cancelled') throw new Cancelled()
        current.current = sending()
        await current.current.sent
      }
      const left = new Set(files.filter(({ name }) => !sent.current.has(name)))
      tried.current = batches(tried.current, left)
      for (const batch of tried.current) {
        tell(batch, () => ({ is: 'sending', sentBytes: 0 }))
        try {
          await send(() => sendFiles(submissionId, batch, (sentBytes) => tell(batch, sendingOf(sentBytes))))
        } catch (error) {
          const message = messageOf(error)
          tell(batch, () => (error instanceof Cancelled ? undefined : { is: 'failed', message }))
          throw error
        }
        for (const { name } of batch.files) sent.current.add(name)
        tell(batch, () => ({ is: 'sent' }))
      }
      await send(() => sealSubmission(submissionId))
    },
    [tell],
  )
  const start = useCallback(
    async (open: () => Promise<string>, files: readonly ChosenFile[]): Promise<string | undefined> => {
      // Pressed twice before the page has changed.
      if (turn.current !== 'none') return undefined
      turn.current = 'sending'
      setState({ is: 'sending' })
      let submissionId: string | undefined
      try {
        submissionId = await open()
        await sendAll(submissionId, files)
        setState({ is: 'done' })
        return submissionId
      } catch (error) {
        noticeEnd(queries, error)
        const message = error instanceof Cancelled ? undefined : messageOf(error)
        setState(submissionId === undefined ? { is: 'idle' } : { is: 'stopped', message })
        if (submissionId === undefined) throw error
        return undefined
      } finally {
        turn.current = 'none'
      }
    },
    [queries, sendAll],
  )
  const cancel = useCallback(() => {
    if (turn.current === 'sending') turn.current = 'cancelled'
    current.current?.cancel()
  }, [])
  useEffect(() => cancel, [cancel])
  useKeptOpen(state.is === 'sending')
  return { state, progress, start, cancel }
}

/** While files are sent, the browser asks before it leaves the page. */
function useKeptOpen(isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return undefined
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isSending])
}
