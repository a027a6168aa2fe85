import { groupFindings } from '@kitseal/examiner/group-findings'
import { sentences } from '@kitseal/kit/in-browser/words'
import { Button, Checkbox, Progress } from '@mantine/core'
import { useState } from 'react'
import { type Finding, secretsIn } from '../../core/findings.ts'
import { Icon } from '../../parts/icons.tsx'
import { nameText, sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { spoken } from '../../core/finding-text.ts'
import { FileChange } from './item-parts.tsx'
import type { ItemFile } from './supplier-api.ts'
import { isAbout, type ItemUploads, type Outgoing } from './use-item-uploads.ts'

export interface ItemFilesProps {
  readonly files: readonly ItemFile[]
  readonly outgoing: readonly Outgoing[]
  readonly uploads: ItemUploads
  /** What stopped the last submission. */
  readonly blocking: readonly Finding[]
  /** Length of the folder in the names. */
  readonly skip: number
  /** Undefined if files cannot be removed. */
  readonly onRemove: ((position: number) => void) | undefined
}

/** The files of an item: those that the service has, and those on their way. */
export function ItemFiles({ files, outgoing, uploads, blocking, skip, onRemove }: ItemFilesProps) {
  if (files.length === 0 && outgoing.length === 0) return null
  return (
    <ul className="item-files">
      {files.map(({ position, name, size_bytes, change }) => (
        <li key={position}>
          {size_bytes === 0 || blocking.some(({ path }) => isAbout(path, name)) ? (
            <Icon name="warning" />
          ) : (
            <Icon name="check" className="icon good" />
          )}
          <span className="file-name">
            {nameText(name.slice(skip))}
            <FileChange change={change} />
            {size_bytes === 0 && <span className="file-empty">{t('request.empty')}</span>}
          </span>
          <span className="quiet">{sizeText(size_bytes)}</span>
          {onRemove !== undefined && (
            <button
              type="button"
              className="icon-button"
              aria-label={t('request.removeFile', { name: name.slice(skip) })}
              title={t('request.removeFile', { name: name.slice(skip) })}
              disabled={uploads.isBusy}
              onClick={({ currentTarget }) => {
                currentTarget.closest('section')?.focus()
                onRemove(position)
              }}
            >
              <Icon name="trash" size={16} />
            </button>
          )}
        </li>
      ))}
      {outgoing.map((one) => (
        <OutgoingFile key={one.chosen.name} one={one} uploads={uploads} skip={skip} />
      ))}
    </ul>
  )
}

interface OutgoingFileProps {
  readonly one: Outgoing
  readonly uploads: ItemUploads
  readonly skip: number
}

function OutgoingFile({ one: { chosen, state }, uploads, skip }: OutgoingFileProps) {
  const name = nameText(chosen.name.slice(skip))
  const isHeld = state.is === 'blocked' || state.is === 'failed'
  const hasSecret = state.is === 'blocked' && canSend(state) && secretsIn(state.findings).length > 0
  const [isChecked, setIsChecked] = useState(false)
  return (
    <li className={isHeld ? 'held' : undefined}>
      <Icon name={isHeld ? 'cross' : 'file'} className={`icon ${isHeld ? 'bad' : ''}`} />
      <span className="file-name">{name}</span>
      <span className="quiet">{sizeText(chosen.file.size)}</span>
      {state.is === 'checking' && <span className="quiet">{t('request.checking')}</span>}
      {state.is === 'waiting' && <span className="quiet">{t('request.waiting')}</span>}
      {state.is === 'sending' && (
        <Progress
          className="file-progress"
          value={chosen.file.size === 0 ? 100 : Math.min(100, (state.sentBytes / chosen.file.size) * 100)}
          aria-label={t('request.sending', { name })}
        />
      )}
      {isHeld && (
        <div className="held-reason" role="alert">
          <p className="strong">{state.is === 'blocked' ? t('request.notSent') : t('request.failed')}</p>
          {state.is === 'failed' && <p>{state.message}</p>}
          {state.is === 'blocked' &&
            groupFindings(state.findings.map(spoken)).map(({ code, message, remedy, count }) => (
              <p key={`${code} ${message}`}>
                {sentences([message, remedy])} {count > 1 && `(${t('findings.paths.count', { count })})`}
              </p>
            ))}
          {hasSecret && (
            <Checkbox
              label={t('request.secretChecked')}
              checked={isChecked}
              onChange={({ currentTarget }) => setIsChecked(currentTarget.checked)}
            />
          )}
          <div className="row">
            {canSend(state) && (
              <Button
                size="compact-sm"
                variant="default"
                disabled={hasSecret && !isChecked}
                onClick={() => uploads.send(chosen.name)}
              >
                {state.is === 'failed' ? t('problem.retry') : t('request.sendAnyway')}
              </Button>
            )}
            <Button size="compact-sm" variant="subtle" onClick={() => uploads.forget(chosen.name)}>
              {t('request.forget')}
            </Button>
          </div>
        </div>
      )}
    </li>
  )
}

/** A danger is never accepted. */
const canSend = (state: Outgoing['state']): boolean =>
  state.is === 'failed' ||
  (state.is === 'blocked' && state.findings.every((finding) => finding.class !== 'danger'))
