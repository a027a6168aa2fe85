import type { Result } from '@kitseal/kit/in-browser'
import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../core/error-message.ts'
import { t } from '../../../core/texts.ts'
import { type PublishedKeys, publishedKeys } from '../../../verify/published-keys.ts'
import { runVerification } from '../../../verify/use-verification.ts'
import { readAll } from '../read-all.ts'
import type { RoomKit } from './shared-room.ts'
import { serviceVerdict } from '../../../verify/service-verdict.ts'

export type KitState =
  | { readonly is: 'running'; readonly readBytes: number }
  | { readonly is: 'done'; readonly result: Result }
  | { readonly is: 'failed'; readonly message: string }

export const isVerified = (state: KitState | undefined, kitId: string): boolean =>
  state?.is === 'done' && serviceVerdict(state.result, kitId).verdict === 'verified'

export interface VerifyAll {
  /** By kit ID. A kit without a state was not looked at. */
  readonly states: ReadonlyMap<string, KitState>
  readonly isRunning: boolean
  start(): void
  stop(): void
}

/** Verifies kits one after the other in this browser. A kit that cannot be read is not verified, and the others go on. */
export function useVerifyAll(base: string, kits: readonly RoomKit[], isAutomatic: boolean): VerifyAll {
  const [states, setStates] = useState<ReadonlyMap<string, KitState>>(new Map())
  const [isRunning, setIsRunning] = useState(false)
  const current = useRef<AbortController>(undefined)
  const start = useCallback(() => {
    current.current?.abort()
    const mine = new AbortController()
    current.current = mine
    setStates(new Map())
    setIsRunning(true)
    const put = (kit: RoomKit, state: KitState): void => {
      if (current.current === mine) setStates((before) => new Map(before).set(kit.kit_id, state))
    }
    const all = async (): Promise<void> => {
      const keys = await publishedKeys()
      for (const kit of kits) {
        if (mine.signal.aborted) return
        put(kit, { is: 'running', readBytes: 0 })
        await verifyOne(base, kit, keys, mine.signal, (readBytes) =>
          put(kit, { is: 'running', readBytes }),
        ).then(
          (result) => put(kit, { is: 'done', result }),
          (error: unknown) =>
            put(kit, {
              is: 'failed',
              message: mine.signal.aborted ? t('room.verify.stopped') : messageOf(error),
            }),
        )
      }
    }
    all()
      .catch((error: unknown) => {
        for (const kit of kits) put(kit, { is: 'failed', message: messageOf(error) })
      })
      .finally(() => {
        if (current.current === mine) setIsRunning(false)
      })
  }, [base, kits])
  useEffect(() => {
    if (isAutomatic) start()
    return () => current.current?.abort()
  }, [isAutomatic, start])
  return { states, isRunning, start, stop: () => current.current?.abort() }
}

async function verifyOne(
  base: string,
  kit: RoomKit,
  keys: PublishedKeys,
  signal: AbortSignal,
  onProgress: (readBytes: number) => void,
): Promise<Result> {
  const name = `${kit.kit_id}.zip`
  const bytes = await readAll(`${base}/${kit.base}/view/kit.zip`, signal, onProgress)
  const file = new File([bytes], name, { type: 'application/zip' })
  const running = runVerification({ is: 'zip', name, file }, keys, {}, () => {})
  signal.addEventListener('abort', () => running.stop())
  return running.done
}
