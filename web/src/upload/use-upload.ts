import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from '../core/error-message.ts'
import { noticeEnd } from '../console/session.tsx'
import type { ChosenFile } from './chosen-files.ts'
import { Cancelled, type Sending } from './sending.ts'
import { type Batch, batches, submitDraft, sendFiles } from './upload.ts'

export type FileProgress =
  | { readonly is: 'sending'; readonly sentBytes: number }
  | { readonly is: 'sent' }
  | { readonly is: 'failed'; readonly message: string }

export type UploadState =
  | { readonly is: 'idle' }
  | { readonly is: 'sending' }
  /** Interrupted; uploaded files are kept. */
  | { readonly is: 'stopped'; readonly message: string | undefined }
  | { readonly is: 'done' }

export interface UseUpload {
  readonly state: UploadState
  readonly progress: ReadonlyMap<string, FileProgress>
  /**
   * Creates a submission, uploads the remaining files and submits. Called again, it resumes. Returns the submission's
   * ID, or undefined if interrupted; throws if no submission could be created.
   */
  start(
    open: () => Promise<string>,
    files: readonly ChosenFile[],
    accept: readonly string[],
  ): Promise<string | undefined>
  cancel(): void
}

/** The progress of a file that starts at this offset of its batch. */
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
  const current = useRef<Sending>(undefined)
  const sent = useRef(new Set<string>())
  const tried = useRef<readonly Batch[]>([])
  const phase = useRef<'none' | 'sending' | 'cancelled'>('none')

  const setBatchProgress = useCallback(({ files }: Batch, of: ProgressOf) => {
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
    async (submissionId: string, files: readonly ChosenFile[], accept: readonly string[]): Promise<void> => {
      const send = async (sending: () => Sending): Promise<void> => {
        if (phase.current === 'cancelled') throw new Cancelled()
        current.current = sending()
        await current.current.sent
      }
      const left = new Set(files.filter(({ name }) => !sent.current.has(name)))
      tried.current = batches(tried.current, left)
      for (const batch of tried.current) {
        setBatchProgress(batch, () => ({ is: 'sending', sentBytes: 0 }))
        try {
          await send(() =>
            sendFiles(submissionId, batch, (sentBytes) => setBatchProgress(batch, sendingOf(sentBytes))),
          )
        } catch (error) {
          const message = messageOf(error)
          setBatchProgress(batch, () => (error instanceof Cancelled ? undefined : { is: 'failed', message }))
          throw error
        }
        for (const { name } of batch.files) sent.current.add(name)
        setBatchProgress(batch, () => ({ is: 'sent' }))
      }
      await send(() => submitDraft(submissionId, accept))
    },
    [setBatchProgress],
  )
  const start = useCallback(
    async (
      open: () => Promise<string>,
      files: readonly ChosenFile[],
      accept: readonly string[],
    ): Promise<string | undefined> => {
      // Ignores a double click.
      if (phase.current !== 'none') return undefined
      phase.current = 'sending'
      setState({ is: 'sending' })
      let submissionId: string | undefined
      try {
        submissionId = await open()
        await sendAll(submissionId, files, accept)
        setState({ is: 'done' })
        return submissionId
      } catch (error) {
        noticeEnd(queries, error)
        const message = error instanceof Cancelled ? undefined : messageOf(error)
        setState(submissionId === undefined ? { is: 'idle' } : { is: 'stopped', message })
        if (submissionId === undefined) throw error
        return undefined
      } finally {
        phase.current = 'none'
      }
    },
    [queries, sendAll],
  )
  const cancel = useCallback(() => {
    if (phase.current === 'sending') phase.current = 'cancelled'
    current.current?.cancel()
  }, [])
  useEffect(() => cancel, [cancel])
  return { state, progress, start, cancel }
}
