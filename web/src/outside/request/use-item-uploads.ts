import { useCallback, useEffect, useRef, useState } from 'react'
import { type Finding, isBlocking } from '../../core/findings.ts'
import { randomKey } from '../../core/random-key.ts'
import { checkInWorker } from '../../upload/check-in-worker.ts'
import { supplierMessageOf } from './supplier-api.ts'
import type { ChosenFile } from '../../upload/chosen-files.ts'
import { sendFiles } from '../../upload/upload.ts'
import type { UploadPlace } from '../../upload/upload-place.ts'
import type { SupplierView } from './supplier-api.ts'

/** A file that is on its way. It disappears from here once the service has it. */
export interface Outgoing {
  readonly chosen: ChosenFile
  readonly state:
    | { readonly is: 'checking' }
    | { readonly is: 'waiting' }
    | { readonly is: 'sending'; readonly sentBytes: number }
    /** Found in the browser: it was not sent. */
    | { readonly is: 'blocked'; readonly findings: readonly Finding[] }
    | { readonly is: 'failed'; readonly message: string }
}

export interface ItemUploads {
  readonly outgoing: readonly Outgoing[]
  readonly isBusy: boolean
  /** Codes of damage that the supplier sends anyway. */
  readonly accepted: ReadonlySet<string>
  add(files: readonly ChosenFile[]): void
  /** Sends a file that was held back, or tries again. */
  send(name: string): void
  forget(name: string): void
}

/** Where the files of items go: the answer to a request, or a period of a program. */
export interface ItemTarget {
  readonly place: UploadPlace
  /** The draft, which is started if there is none. */
  open(): Promise<string>
  /** Called after each file. */
  onSent(): Promise<void>
}

type Limits = Pick<SupplierView['limits'], 'unpacked_files' | 'unpacked_limit_bytes' | 'unpacked_ratio'>

/** Checks files in the browser, and sends those without problems, one after the other. */
export function useItemUploads(target: ItemTarget, limits: Limits): ItemUploads {
  const [outgoing, setOutgoing] = useState<readonly Outgoing[]>([])
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set())
  const queue = useRef(Promise.resolve())
  const set = useCallback((name: string, state: Outgoing['state'] | undefined) => {
    setOutgoing((before) =>
      before.flatMap((one) => {
        if (one.chosen.name !== name) return [one]
        return state === undefined ? [] : [{ chosen: one.chosen, state }]
      }),
    )
  }, [])

  const sendOne = useCallback(
    async (chosen: ChosenFile): Promise<void> => {
      const { name } = chosen
      set(name, { is: 'sending', sentBytes: 0 })
      try {
        const submissionId = await target.open()
        const batch = { files: [chosen], key: randomKey() }
        const onProgress = (sentBytes: number): void => set(name, { is: 'sending', sentBytes })
        await sendFiles(submissionId, batch, onProgress, target.place).sent
        await target.onSent()
        set(name, undefined)
      } catch (error) {
        set(name, { is: 'failed', message: supplierMessageOf(error) })
      }
    },
    [target, set],
  )

  const enqueue = useCallback(
    (chosen: ChosenFile) => {
      set(chosen.name, { is: 'waiting' })
      queue.current = queue.current.then(() => sendOne(chosen))
    },
    [sendOne, set],
  )

  const add = useCallback(
    (files: readonly ChosenFile[]) => {
      const names = new Set(files.map(({ name }) => name))
      setOutgoing((before) => [
        ...before.filter(({ chosen }) => !names.has(chosen.name)),
        ...files.map((chosen) => ({ chosen, state: { is: 'checking' } as const })),
      ])
      const order = {
        limits: {
          entries: limits.unpacked_files,
          unpackedBytes: limits.unpacked_limit_bytes,
          ratio: limits.unpacked_ratio,
        },
        profile: undefined,
        now: new Date().toISOString(),
      }
      // If the check cannot run, the service checks after the upload.
      void checkInWorker(files, order)
        .done.catch(() => ({ findings: [] }))
        .then(({ findings }) => {
          for (const chosen of files) {
            const own = findings.filter(
              (finding) => isBlocking(finding) && isAbout(finding.path, chosen.name),
            )
            if (own.length > 0) set(chosen.name, { is: 'blocked', findings: own })
            else enqueue(chosen)
          }
        })
    },
    [enqueue, limits, set],
  )

  const isBusy = outgoing.some(({ state }) => state.is !== 'blocked' && state.is !== 'failed')
  useConfirmLeave(isBusy)
  return {
    outgoing,
    isBusy,
    accepted,
    add,
    send: (name) => {
      const one = outgoing.find(({ chosen }) => chosen.name === name)
      if (one === undefined) return
      if (one.state.is === 'blocked') {
        const codes = one.state.findings.map(({ code }) => code)
        setAccepted((before) => new Set([...before, ...codes]))
      }
      enqueue(one.chosen)
    },
    forget: (name) => set(name, undefined),
  }
}

/** A finding may be about an entry inside a file. */
export const isAbout = (path: string | null, name: string): boolean =>
  path === name || path?.startsWith(`${name}/`) === true || path?.startsWith(`${name}:`) === true

/** Makes the browser ask before it leaves the page during an upload. */
function useConfirmLeave(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return undefined
    const confirmLeave = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', confirmLeave)
    return () => removeEventListener('beforeunload', confirmLeave)
  }, [isBusy])
}
