import { useState } from 'react'
import { isBlocking, isTruncated } from '../../core/findings.ts'
import { nameText, sizeText } from '../../core/readable.ts'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { Card, Problem } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { Tick } from '../../parts/fields.tsx'
import { BlockerList, blockersText, FindingList } from '../../parts/finding-list.tsx'
import { useFirstRows } from '../../parts/list.tsx'
import { Acknowledge } from '../new/acknowledge.tsx'
import { api } from '../client.ts'
import { useChange, useOnce } from '../queries.tsx'
import { useAllowed } from '../session.tsx'
import type { SubmissionDetail } from './submission-detail.ts'
import { Verdict } from './stage-status.tsx'

/** What to do first: resubmit with the good files. Then what is wrong, and which files to keep. */
export function FailView({ detail }: { readonly detail: SubmissionDetail }) {
  const { submission, files } = detail
  const allowed = useAllowed('submit')
  const [kept, setKept] = useState<ReadonlySet<number>>(
    () => new Set(files.filter(({ good }) => good).map(({ position }) => position)),
  )
  const [accept, setAccept] = useState<ReadonlySet<string>>(() => new Set(submission.accept))
  const onceFor = useOnce()
  const resubmitting = useChange(
    ['submission'],
    () => {
      const body = { keep: [...kept].toSorted((a, b) => a - b), accept: [...accept] }
      return api.resubmit(submission.submission_id, body, onceFor(body))
    },
    (made) => navigate(`/console/submissions/${made.submission_id}`),
  )
  const keep = (position: number, isKept: boolean): void =>
    setKept(
      (before) => new Set(isKept ? [...before, position] : [...before].filter((one) => one !== position)),
    )
  const { rows, more } = useFirstRows(files)
  const goodText = isTruncated(submission.blockers)
    ? t('console.submission.fail.notListed')
    : t('console.submission.fail.good')
  const report = submission.deliverables['fail_report.json']
  return (
    <>
      <Verdict
        result="fail"
        word={t('console.submission.fail.word')}
        text={t('console.submission.fail.sentence', { blockers: blockersText(submission.blockers) })}
        facts={allowed.why ?? t('console.submission.fail.keeps', { kept: kept.size, all: files.length })}
        action={
          allowed.is && (
            <Button
              look="main"
              icon="retry"
              isBusy={resubmitting.isPending}
              onClick={() => resubmitting.mutate()}
            >
              {t('console.submission.fail.fix')}
            </Button>
          )
        }
      />
      <Problem error={resubmitting.error} />
      <Card
        title={blockersText(submission.blockers)}
        actions={
          report !== undefined && (
            <a href={report} download>
              {t('console.submission.fail.report')}
            </a>
          )
        }
      >
        <BlockerList blockers={submission.blockers} />
      </Card>
      {allowed.is && <Acknowledge findings={submission.findings} accept={accept} onAccept={setAccept} />}
      <Card title={t('console.submission.fail.fixTitle')}>
        <p className="quiet">{t('console.submission.fail.fixText')}</p>
        {rows.map(({ position, name, size_bytes, good }) => (
          <Tick
            key={position}
            label={nameText(name)}
            hint={`${sizeText(size_bytes)}, ${good ? goodText : t('console.submission.fail.bad')}`}
            isChecked={kept.has(position)}
            isDisabled={!allowed.is}
            onChange={(isKept) => keep(position, isKept)}
          />
        ))}
        {more}
      </Card>
      <FindingList findings={submission.findings.filter((finding) => !isBlocking(finding))} />
    </>
  )
}
