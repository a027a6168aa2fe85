import { Button, Checkbox } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Acknowledge } from '../../upload/acknowledge.tsx'
import { Card } from '../../parts/blocks.tsx'
import { useFirstRows } from '../../parts/first-rows.tsx'
import { Icon } from '../../parts/icons.tsx'
import { nameText, sizeText } from '../../core/readable.ts'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { api, once } from '../client.ts'
import { isBlocking, isTruncated } from '../../core/findings.ts'
import { BlockerList, blockersText, FindingList } from '../../parts/finding-list.tsx'
import { Problem } from '../problem.tsx'
import { randomKey } from '../../core/random-key.ts'
import { useAllowed } from '../session.tsx'
import type { SubmissionDetail } from './submission-detail.ts'
import { Verdict } from './verdict.tsx'

/** What to do first: resubmit with the good files. Then what is wrong, and which files to keep. */
export function FailView({ detail }: { readonly detail: SubmissionDetail }) {
  const { submission, files } = detail
  const resubmit = useResubmit(detail)
  const allowed = useAllowed('submit')
  const report = submission.deliverables['fail_report.json']
  return (
    <>
      <Verdict
        result="fail"
        word={t('console.submission.fail.word')}
        text={t('console.submission.fail.sentence', { blockers: blockersText(submission.blockers) })}
        facts={
          allowed.why ?? t('console.submission.fail.keeps', { kept: resubmit.kept.size, all: files.length })
        }
        action={
          allowed.is && (
            <span className="row verdict-action">
              <Button
                leftSection={<Icon name="retry" />}
                loading={resubmit.isPending}
                onClick={resubmit.send}
              >
                {t('console.submission.fail.fix')}
              </Button>
            </span>
          )
        }
      />
      {resubmit.error !== null && <Problem error={resubmit.error} />}
      <Card
        title={blockersText(submission.blockers)}
        actions={
          report !== undefined && (
            <a className="download-link" href={report} download>
              <Icon name="download" size={16} />
              {t('console.submission.fail.report')}
            </a>
          )
        }
      >
        <BlockerList blockers={submission.blockers} />
      </Card>
      {allowed.is && (
        <Acknowledge findings={submission.findings} accept={resubmit.accept} onAccept={resubmit.setAccept} />
      )}
      <KeptFiles detail={detail} kept={resubmit.kept} onToggle={resubmit.toggle} canChange={allowed.is} />
      <FindingList findings={submission.findings.filter((finding) => !isBlocking(finding))} />
    </>
  )
}

interface Resubmit {
  /** Positions of the files to keep. */
  readonly kept: ReadonlySet<number>
  readonly accept: ReadonlySet<string>
  readonly isPending: boolean
  readonly error: Error | null
  toggle(position: number, isKept: boolean): void
  setAccept(codes: ReadonlySet<string>): void
  send(): void
}

/** Each choice has its own idempotency key. */
function useResubmit({ submission, files }: SubmissionDetail): Resubmit {
  const key = useRef(randomKey())
  const [kept, setKept] = useState<ReadonlySet<number>>(
    () => new Set(files.filter(({ good }) => good).map(({ position }) => position)),
  )
  const [accept, setAccept] = useState<ReadonlySet<string>>(() => new Set(submission.accept))
  const resubmitting = useMutation({
    mutationFn: () =>
      api.resubmit(
        submission.submission_id,
        { keep: [...kept].toSorted((a, b) => a - b), accept: [...accept] },
        once(key.current),
      ),
    onSuccess: (made) => navigate(`/console/submissions/${made.submission_id}`),
  })
  return {
    kept,
    accept,
    isPending: resubmitting.isPending,
    error: resubmitting.error,
    toggle: (position, isKept) => {
      key.current = randomKey()
      setKept((before) =>
        isKept ? new Set([...before, position]) : new Set([...before].filter((one) => one !== position)),
      )
    },
    setAccept: (codes) => {
      key.current = randomKey()
      setAccept(codes)
    },
    send: () => resubmitting.mutate(),
  }
}

interface KeptFilesProps {
  readonly detail: SubmissionDetail
  readonly kept: ReadonlySet<number>
  readonly canChange: boolean
  onToggle(position: number, isKept: boolean): void
}

function KeptFiles({ detail: { submission, files }, kept, canChange, onToggle }: KeptFilesProps) {
  const { rows, more } = useFirstRows(files)
  const goodText = isTruncated(submission.blockers)
    ? t('console.submission.fail.notListed')
    : t('console.submission.fail.good')
  return (
    <Card title={t('console.submission.fail.fixTitle')} id="fix">
      <p className="quiet">{t('console.submission.fail.fixText')}</p>
      <ul className="keep-list">
        {rows.map(({ position, name, size_bytes, good }) => (
          <li key={position}>
            <Checkbox
              checked={kept.has(position)}
              disabled={!canChange}
              label={nameText(name)}
              description={`${sizeText(size_bytes)}, ${good ? goodText : t('console.submission.fail.bad')}`}
              onChange={({ currentTarget }) => onToggle(position, currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
      {more}
    </Card>
  )
}
