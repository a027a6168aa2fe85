import { groupFindings } from '@kitseal/examiner/group-findings'
import type { PickedItems } from '@kitseal/kit/in-browser'
import { sentences } from '@kitseal/kit/in-browser/words'
import { useState, useEffect, useSyncExternalStore } from 'react'
import { type Finding, secretsIn, spoken } from '../core/findings.ts'
import { nameText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { DropBox } from '../parts/drop.tsx'
import { Tick } from '../parts/fields.tsx'
import { Files, type ListedFile } from '../parts/files.tsx'
import { Icon } from '../parts/icons.tsx'
import { chosenFiles } from './check-in-worker.ts'
import {
  isAbout,
  type Upload,
  type UploadState,
  type QueueState,
  UploadQueue,
  type UploadTarget,
} from './upload-queue.ts'
import { guardNavigation, listen } from '../core/router.tsx'
import { ask } from '../parts/ask.tsx'

/** A file that the service has. */
export interface Arrived {
  readonly position: number
  readonly name: string
  readonly size_bytes: number
  /** What is different from the round before. */
  readonly change?: 'added' | 'replaced' | null
}

export interface ItemUploadsProps {
  /** What the files are for, for screen readers. */
  readonly name: string
  /** The folder of the item, with a slash. Empty if the files are for no item. */
  readonly folder: string
  readonly arrived: readonly Arrived[]
  /** Those of this item. */
  readonly outgoing: readonly Upload[]
  readonly uploads: Uploads
  /** What was found in files that arrived, accepted or not. */
  readonly findings: readonly Finding[]
  /** There are no files yet. */
  readonly isEmpty: boolean
  readonly canAdd: boolean
  /** Undefined if files cannot be removed. */
  readonly onRemove?: ((position: number) => void) | undefined
}

type Row = ListedFile & ({ readonly arrived: Arrived } | { readonly upload: Upload })

/** The files of an item: those that the service has, those on their way, and a place to add more. */
export function ItemUploads({ name, folder, isEmpty, canAdd, ...list }: ItemUploadsProps) {
  const verb = t(isEmpty ? 'request.chooseFiles' : 'request.addFiles')
  const add = (items: PickedItems): void =>
    list.uploads.queue.add(chosenFiles(items).map(({ name: own, file }) => ({ name: folder + own, file })))
  return (
    <>
      <UploadList {...list} skip={folder.length} />
      {canAdd && (
        <DropBox
          label={verb}
          name={t('request.chooseFor', { verb, item: name })}
          hint={t('request.dropHint')}
          onItems={add}
        />
      )}
    </>
  )
}

interface UploadListProps extends Pick<
  ItemUploadsProps,
  'arrived' | 'outgoing' | 'uploads' | 'findings' | 'onRemove'
> {
  /** Length of the folder in the names. */
  readonly skip: number
}

function UploadList({ arrived, outgoing, uploads, findings, skip, onRemove }: UploadListProps) {
  const { queue } = uploads
  if (arrived.length + outgoing.length === 0) return null
  const rows: readonly Row[] = [
    ...arrived.map((one) => ({ name: one.name.slice(skip), sizeBytes: one.size_bytes, arrived: one })),
    ...outgoing.map((one) => ({ name: one.name.slice(skip), sizeBytes: one.file.size, upload: one })),
  ]
  const isWorthALook = ({ name, size_bytes }: Arrived): boolean =>
    size_bytes === 0 ||
    queue.isPassed(name) ||
    findings.some((one) => one.class !== 'notice' && isAbout(one.path, name))
  return (
    <Files
      files={rows}
      mark={(row) => {
        if ('upload' in row)
          return isHeld(row.upload.state) ? <Icon name="cross" className="icon bad" /> : undefined
        return isWorthALook(row.arrived) ? (
          <Icon name="warning" className="icon bad" />
        ) : (
          <Icon name="check" className="icon good" />
        )
      }}
      state={(row) =>
        'upload' in row ? (
          <UploadProgress upload={row.upload} name={row.name} />
        ) : (
          <>
            {row.arrived.change != null && (
              <span className="quiet">{t(`request.changes.${row.arrived.change}`)}</span>
            )}
            {row.sizeBytes === 0 && <span className="quiet">{t('request.empty')}</span>}
          </>
        )
      }
      actions={(row) =>
        'arrived' in row &&
        onRemove !== undefined && (
          <IconButton
            icon="trash"
            label={t('request.removeFile', { name: row.name })}
            disabled={uploads.isBusy}
            onClick={({ currentTarget }) => {
              currentTarget.closest('section')?.focus()
              onRemove(row.arrived.position)
            }}
          />
        )
      }
      below={(row) =>
        'upload' in row && isHeld(row.upload.state) && <Held upload={row.upload} queue={queue} />
      }
    />
  )
}

const isHeld = ({ is }: UploadState): boolean => is === 'blocked' || is === 'failed'

/** How far a file is. */
export function UploadProgress({
  upload: { state, file },
  name,
}: {
  readonly upload: Upload
  readonly name: string
}) {
  switch (state.is) {
    case 'checking':
      return <span className="quiet">{t('request.checking')}</span>
    case 'waiting':
      return <span className="quiet">{t('request.waiting')}</span>
    case 'sending':
      return (
        <progress
          max={Math.max(1, file.size)}
          value={file.size === 0 ? 1 : state.sentBytes}
          aria-label={t('request.sending', { name: nameText(name) })}
        />
      )
    default:
      return null
  }
}

/** Why a file was not sent, and what can be done. */
function Held({ upload: { name, state }, queue }: { readonly upload: Upload; readonly queue: UploadQueue }) {
  const [isChecked, setIsChecked] = useState(false)
  const findings = state.is === 'blocked' ? state.findings : []
  // A danger is never accepted.
  const canSend = findings.every((finding) => finding.class !== 'danger')
  const hasSecret = canSend && secretsIn(findings).length > 0
  return (
    <div className="file-below" role="alert">
      <p className="strong">{state.is === 'blocked' ? t('request.notSent') : t('request.failed')}</p>
      {state.is === 'failed' && <p>{state.message}</p>}
      {groupFindings(findings.map(spoken)).map(({ code, message, remedy, count }) => (
        <p key={`${code} ${message}`}>
          {sentences([message, remedy])} {count > 1 && `(${t('findings.paths.count', { count })})`}
        </p>
      ))}
      {hasSecret && <Tick label={t('request.secretChecked')} isChecked={isChecked} onChange={setIsChecked} />}
      <div className="row">
        {canSend && (
          <Button size="small" disabled={hasSecret && !isChecked} onClick={() => queue.send(name)}>
            {state.is === 'failed' ? t('problem.retry') : t('request.sendAnyway')}
          </Button>
        )}
        <Button size="small" look="quiet" onClick={() => queue.remove((one) => one === name)}>
          {t('request.forget')}
        </Button>
      </div>
    </div>
  )
}

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
