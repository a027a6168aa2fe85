import { Button, Checkbox } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { formatBytes } from '@kitseal/kit'
import { Acknowledge } from '../../evidence/acknowledge.tsx'
import { Card } from '../../parts/blocks.tsx'
import { useFirstRows } from '../../parts/first-rows.tsx'
import { Icon } from '../../parts/icons.tsx'
import { nameText } from '../../readable.ts'
import { navigate } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { ownPath, post } from '../api.ts'
import { isBlocking, isTruncated } from '../blocker-groups.ts'
import { BlockerList, blockersText, FindingList } from '../blocker-list.tsx'
import { Problem } from '../problem.tsx'
import { randomKey } from '../random-key.ts'
import { useAllowed } from '../session.tsx'
import type { SubmissionDetail } from '../api-types.generated.ts'
import { Verdict } from './verdict.tsx'

/** Blockers, and a form to resubmit with the good files. */
export function FailView({ detail }: { readonly detail: SubmissionDetail }) {
  const { submission } = detail
  const t = texts.console.submission.fail
  const report = submission.deliverables['fail_report.json']
  return (
    <>
      <Verdict result="fail" word={t.word} text={t.sentence(blockersText(submission.blockers))} />
      <Card
        title={blockersText(submission.blockers)}
        actions={
          report !== undefined && (
            <a className="download-link" href={ownPath(report)} download>
              <Icon name="download" size={16} />
              {t.report}
            </a>
          )
        }
      >
        <BlockerList blockers={submission.blockers} />
      </Card>
      <FindingList findings={submission.findings.filter((finding) => !isBlocking(finding))} />
      <Resubmit detail={detail} />
    </>
  )
}

function Resubmit({ detail }: { readonly detail: SubmissionDetail }) {
  const { submission, evidence } = detail
  const allowed = useAllowed('submit')
  const key = useRef(randomKey())
  const [kept, setKept] = useState<ReadonlySet<number>>(
    () => new Set(evidence.filter(({ good }) => good).map(({ position }) => position)),
  )
  const [accept, setAccept] = useState<ReadonlySet<string>>(() => new Set(submission.accept))
  const resubmitting = useMutation({
    mutationFn: () =>
      post<SubmissionDetail>(
        `/submissions/${submission.submission_id}/resubmit`,
        { keep: [...kept].toSorted((a, b) => a - b), accept: [...accept] },
        { 'Idempotency-Key': key.current },
      ),
    onSuccess: (made) => navigate(`/console/submissions/${made.submission.submission_id}`),
  })
  const toggle = (position: number, isKept: boolean): void => {
    key.current = randomKey()
    setKept((before) => {
      const after = new Set(before)
      if (isKept) after.add(position)
      else after.delete(position)
      return after
    })
  }
  const { rows, more } = useFirstRows(evidence)
  const t = texts.console.submission.fail
  const onAccept = (codes: ReadonlySet<string>): void => {
    key.current = randomKey()
    setAccept(codes)
  }
  const goodText = isTruncated(submission.blockers) ? t.notListed : t.good
  return (
    <>
      <Acknowledge findings={submission.findings} accept={accept} onAccept={onAccept} />
      <Card title={t.fixTitle} id="fix">
        <p className="quiet">{t.fixText}</p>
        <ul className="keep-list">
          {rows.map(({ position, name, size_bytes, good }) => (
            <li key={position}>
              <Checkbox
                checked={kept.has(position)}
                disabled={!allowed.is}
                label={nameText(name)}
                description={`${formatBytes(size_bytes)}, ${good ? goodText : t.bad}`}
                onChange={({ currentTarget }) => toggle(position, currentTarget.checked)}
              />
            </li>
          ))}
        </ul>
        {more}
        {resubmitting.error !== null && <Problem error={resubmitting.error} />}
        <div className="row">
          <Button
            leftSection={<Icon name="retry" />}
            loading={resubmitting.isPending}
            disabled={!allowed.is}
            title={allowed.why}
            onClick={() => resubmitting.mutate()}
          >
            {t.fix}
          </Button>
          <span className="quiet">{allowed.why ?? t.keeps(kept.size)}</span>
        </div>
      </Card>
    </>
  )
}
