import type { Plan } from '../../core/console-types.generated.ts'
import type { ConfirmedFile } from '@kitseal/examiner'
import { joinList } from '@kitseal/kit/in-browser/words'
import type { PickedItems } from '@kitseal/kit/in-browser'
import type { SubmissionProvenance } from '@kitseal/kit/internal'
import { useQueryClient, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { messageOf } from '../../core/fetch-json.ts'
import { countListed, isBlocking, isTruncated } from '../../core/findings.ts'
import { limitText, sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Alert, Card, Notice } from '../../parts/blocks.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Files } from '../../parts/files.tsx'
import { BlockerList, FindingList } from '../../parts/finding-list.tsx'
import { Icon } from '../../parts/icons.tsx'
import { chosenFiles, readSizes, totalBytes } from '../../upload/check-in-worker.ts'
import { DropArea, Picker, usePageDrops } from '../../parts/drop.tsx'
import { CONSOLE } from '../../upload/send.ts'
import { UploadProgress, type Uploads, useUploads } from '../../upload/upload-list.tsx'
import type { CheckState, Upload, UploadTarget } from '../../upload/upload-queue.ts'
import { noticeEnd } from '../session.tsx'
import { Acknowledge } from './acknowledge.tsx'
import { NO_TRUST, type Trust } from '@kitseal/kit'
import { api } from '../client.ts'
import { publishedKeys } from '../../verify/use-verification.ts'

export interface DraftOf {
  readonly plan: Plan
  /** The profile as JSON, if its items can be checked here. */
  readonly profile?: string | undefined
  readonly confirmed?: readonly ConfirmedFile[] | undefined
  readonly provenance?: SubmissionProvenance | undefined
  /** The draft, which is created with the first file that is sent. */
  open(): Promise<string>
}

/** The files of a submission that is not submitted yet. `open` must be the same function each time. */
export function useDraftFiles({ plan, profile, confirmed, provenance, open }: DraftOf): Uploads {
  const queries = useQueryClient()
  const trust = useKitTrust()
  const target = useMemo((): UploadTarget => {
    const policy = { evidence: plan.evidence_policy, classes: plan.finding_classes }
    return {
      place: CONSOLE,
      isDirect: false,
      order:
        trust === undefined ? undefined : { limits: plan, profile, trust, policy, confirmed, provenance },
      open,
      errorText: (error) => {
        noticeEnd(queries, error)
        return messageOf(error)
      },
    }
  }, [plan, profile, trust, confirmed, provenance, open, queries])
  return useUploads(target)
}

export interface DraftFilesProps {
  readonly uploads: Uploads
  readonly limitBytes: number
  /** Names of files that the draft has. The service rejects a second file with the same name. */
  readonly there?: ReadonlySet<string>
  /** Why the files cannot be submitted yet. */
  readonly notReady: string | undefined
  onSubmit(): void
}

const PROBLEMS_ID = 'problems'

/** The files of a draft: what is wrong with them first, then all of them, and the bar that submits. */
export function DraftFiles({ uploads, limitBytes, there, notReady, onSubmit }: DraftFilesProps) {
  const { files, check, queue, submitting } = uploads
  const [problem, setProblem] = useState<string>()
  const isFixed = submitting.is === 'sending' || submitting.is === 'done'
  const isThere = (name: string): boolean =>
    there?.has(name) === true || files.some((one) => one.name === name && one.state.is === 'sent')
  const onItems = async (items: PickedItems): Promise<void> => {
    const chosen = chosenFiles(items)
    const added = chosen.filter(({ name }) => !isThere(name))
    const skipped = chosen.length - added.length
    if (chosen.length === 0) setProblem(t('console.new.nothing'))
    else setProblem(skipped > 0 ? t('console.new.skipped', { count: skipped }) : undefined)
    await readSizes(added)
    if (added.length > 0) queue.add(added)
  }
  const { isOver, isReading, read } = usePageDrops({
    isDisabled: isFixed,
    onItems,
    onUnreadable: (why) => setProblem(t('console.new.unreadable', { why })),
  })
  const all = totalBytes(files)
  const isFirst = files.length === 0
  const held = new Set(files.flatMap(({ name, state }) => (state.is === 'blocked' ? name : [])))
  const removing = (isRemoved: (name: string) => boolean, text: string): ReactNode => (
    <Button
      icon="trash"
      onClick={({ currentTarget }) => {
        currentTarget.closest('main')?.focus({ preventScroll: true })
        queue.remove(isRemoved)
      }}
    >
      {text}
    </Button>
  )
  const tooLarge = all > limitBytes ? t('console.new.notReady.size') : undefined
  return (
    <>
      {!isFixed && (
        <DropArea
          title={
            isReading
              ? t('console.new.reading')
              : t(isFirst ? 'console.new.dropTitle' : 'console.new.dropMore')
          }
          hint={isFirst ? t('console.new.dropHint', { limit: limitText(limitBytes) }) : undefined}
          isCompact={!isFirst}
          isOver={isOver}
        >
          <Picker label={t('console.new.chooseFiles')} onItems={read} />
          <Picker isFolder label={t('console.new.chooseFolder')} onItems={read} />
        </DropArea>
      )}
      <Alert tone="warn" text={problem} />
      {tooLarge !== undefined && (
        <Notice tone="fail" isAlert title={t('console.new.tooLarge.title')}>
          {t('console.new.tooLarge.text', { size: sizeText(all), limit: limitText(limitBytes) })}
        </Notice>
      )}
      {check.is === 'failed' && (
        <Notice tone="warn" title={t('console.new.check.failedTitle')}>
          {t('console.new.check.failed', { why: check.message })}
        </Notice>
      )}
      {check.is === 'done' && check.blockers.length > 0 && (
        <Card
          id={PROBLEMS_ID}
          title={t('console.new.check.badTitle', { problems: problemsText(check) })}
          actions={
            held.size > 0 &&
            !isFixed &&
            removing((name) => held.has(name), t('console.new.check.removeFiles', { count: held.size }))
          }
        >
          <p className="quiet">{t('console.new.check.bad')}</p>
          <BlockerList blockers={check.blockers} />
        </Card>
      )}
      {check.is === 'done' && (
        <Acknowledge
          findings={check.findings}
          accept={uploads.accepted}
          onAccept={(codes) => queue.accept(codes)}
        />
      )}
      {files.length > 0 && (
        <Card
          title={t('console.new.filesTitle', { count: files.length, size: sizeText(all) })}
          actions={!isFixed && removing(() => true, t('console.new.removeAll'))}
        >
          <UploadsList uploads={uploads} isFixed={isFixed} />
        </Card>
      )}
      {check.is === 'done' && (
        <FindingList findings={check.findings.filter((finding) => !isBlocking(finding))} />
      )}
      <SubmitBar uploads={uploads} notReady={notReady ?? tooLarge} onSubmit={onSubmit} />
    </>
  )
}

/** "5 problems", or "499+ problems" if the list is truncated. */
const problemsText = ({ blockers }: Extract<CheckState, { readonly is: 'done' }>): string =>
  t('console.new.problems', { count: countListed(blockers), more: isTruncated(blockers) })

interface UploadsListProps {
  readonly uploads: Uploads
  readonly isFixed: boolean
}

function UploadsList({ uploads: { files, queue, check }, isFixed }: UploadsListProps) {
  const found = check.is === 'done' ? check.findings.filter((one) => one.class !== 'notice') : []
  return (
    <Files
      // What has a problem is not below the first two hundred.
      files={files
        .toSorted((a, b) => Number(b.state.is === 'blocked') - Number(a.state.is === 'blocked'))
        .map((upload) => ({ name: upload.name, sizeBytes: upload.file.size, upload }))}
      mark={({ name, upload: { state } }) => {
        if (state.is === 'blocked' || state.is === 'failed') return <Icon name="cross" className="icon bad" />
        // An acknowledged problem is still one.
        if (found.some(({ path }) => path === name)) return <Icon name="warning" className="icon warn" />
        if (state.is === 'sent' || (state.is === 'ready' && check.is === 'done'))
          return <Icon name="check" className="icon good" />
        return undefined
      }}
      state={({ name, upload }) => (
        <>
          <UploadProgress upload={upload} name={name} />
          {upload.state.is === 'sent' && <span className="quiet">{t('console.new.sent')}</span>}
          {upload.state.is === 'failed' && <span className="bad">{upload.state.message}</span>}
          {upload.state.is === 'blocked' && (
            <span className="bad">
              {t('console.new.problems', { count: upload.state.findings.length, more: false })}
            </span>
          )}
        </>
      )}
      actions={({ name, upload: { state } }) =>
        !isFixed &&
        state.is !== 'sent' && (
          <IconButton
            icon="trash"
            label={t('console.new.removeFile', { name })}
            onClick={({ currentTarget }) => {
              // The button disappears with its file.
              currentTarget.closest('ul')?.focus({ preventScroll: true })
              queue.remove((one) => one === name)
            }}
          />
        )
      }
    />
  )
}

/** Below this size, the check ends before a progress bar is noticed. */
const SHOW_PROGRESS_BYTES = 50_000_000

const isSent = ({ state }: Upload): boolean => state.is === 'sent'

type SubmitBarProps = Pick<DraftFilesProps, 'uploads' | 'notReady' | 'onSubmit'>

/** Always in view: how many files and problems, and the button to submit, cancel or resume. */
function SubmitBar({ uploads, notReady, onSubmit }: SubmitBarProps) {
  const { files, check, submitting, queue } = uploads
  const all = totalBytes(files)
  if (submitting.is === 'sending' || submitting.is === 'done') {
    const sentBytes = files.reduce(
      (sum, one) =>
        sum + (isSent(one) ? one.file.size : one.state.is === 'sending' ? one.state.sentBytes : 0),
      0,
    )
    return (
      <div className="bar">
        <div role="status">
          <p className="strong">
            {t('console.new.sentOf', { sent: files.filter(isSent).length, all: files.length })}
          </p>
          <progress max={Math.max(1, all)} value={sentBytes} aria-label={t('console.new.sending')} />
          <p className="quiet">{t('console.new.sending')}</p>
        </div>
        <Button onClick={queue.stop} disabled={submitting.is === 'done'}>
          {t('console.new.cancel')}
        </Button>
      </div>
    )
  }
  const isStopped = submitting.is === 'stopped'
  const hasBlockers = check.is === 'done' && check.blockers.length > 0
  return (
    <>
      {isStopped && (
        <Notice
          tone={submitting.message === undefined ? 'info' : 'fail'}
          isAlert
          title={t('console.new.stoppedTitle')}
        >
          {submitting.message ?? t('console.new.cancelled')} {t('console.new.stopped')}
        </Notice>
      )}
      <div className="bar">
        <div role="status">
          <p className="strong">
            {files.length > 0 && joinList([t('console.files', { count: files.length }), sizeText(all)])}{' '}
            <CheckSummary check={check} />
          </p>
          {check.is === 'running' && all >= SHOW_PROGRESS_BYTES && (
            <progress max={all} value={check.readBytes} aria-label={t('console.new.check.running')} />
          )}
          {notReady !== undefined && <p className="quiet">{notReady}</p>}
        </div>
        <Button
          look="main"
          icon={isStopped ? 'retry' : 'upload'}
          disabled={notReady !== undefined || hasBlockers || check.is === 'running'}
          onClick={onSubmit}
        >
          {isStopped ? t('console.new.retry') : t('console.new.send')}
        </Button>
      </div>
    </>
  )
}

function CheckSummary({ check }: { readonly check: CheckState }) {
  if (check.is === 'running') return <span className="quiet">{t('console.new.check.running')}…</span>
  if (check.is !== 'done') return null
  if (check.blockers.length > 0)
    return (
      <a href={`#${PROBLEMS_ID}`} className="bad">
        {problemsText(check)}
      </a>
    )
  return (
    <span className="good">
      {check.findings.length === 0
        ? t('console.new.check.goodTitle')
        : t('console.new.check.goodWithNotices')}
    </span>
  )
}

export const KIT_TRUST = ['kit-trust']

/** The keys that the service verifies kits among the evidence with. Undefined while they load; without them, kits are not confirmed. */
export function useKitTrust(): Trust | undefined {
  const { data, isError } = useQuery({
    queryKey: KIT_TRUST,
    queryFn: loadKitTrust,
    staleTime: 300_000,
    retry: 1,
  })
  return isError ? NO_TRUST : data
}

async function loadKitTrust(): Promise<Trust> {
  const [own, { data: pins }] = await Promise.all([publishedKeys().catch(() => undefined), api.getTrust()])
  return { ...NO_TRUST, keySets: own === undefined ? [] : [own.keys], pins }
}
