import { useEffect, useState, useSyncExternalStore } from 'react'
import { guardNavigation } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import { listen } from '../core/listen.ts'
import { ask } from '../parts/ask.tsx'
import { type QueueState, UploadQueue, type UploadTarget } from './upload-queue.ts'

export interface Uploads extends QueueState {
  readonly queue: UploadQueue
  /** Files are being checked or sent. */
  readonly isBusy: boolean
  /** Files that are not sent because of a problem. */
  readonly held: number
}

const BUSY: ReadonlySet<string> = new Set(['checking', 'waiting', 'sending'])
const HELD: ReadonlySet<string> = new Set(['blocked', 'failed'])

/** The files that someone chose, on their way to the target. It asks before the page is left while some are not there. */
export function useUploads(target: UploadTarget): Uploads {
  const [queue] = useState(() => new UploadQueue(target))
  useEffect(() => queue.setTarget(target), [queue, target])
  useEffect(() => queue.stop, [queue])
  const state = useSyncExternalStore(queue.subscribe, queue.read)
  const unsent = state.submitting.is === 'done' ? 0 : state.files.length
  useLeaveGuard(unsent)
  return {
    ...state,
    queue,
    isBusy: state.files.some((one) => BUSY.has(one.state.is)),
    held: state.files.filter((one) => HELD.has(one.state.is)).length,
  }
}

/** Asks before the page is left: by a link, by going back, or by closing it. */
function useLeaveGuard(unsent: number): void {
  const isGuarding = unsent > 0
  useEffect(() => {
    if (!isGuarding) return undefined
    const stopAsking = listen(['beforeunload'], (event) => event.preventDefault())
    const stop = guardNavigation(
      (go) =>
        void ask({
          title: t('upload.leave.title'),
          text: t('upload.leave.text', { count: unsent }),
          action: t('upload.leave.leave'),
          isDangerous: true,
          run: go,
        }),
    )
    return () => {
      stopAsking()
      stop()
    }
  }, [isGuarding, unsent])
}
