import { isBlocking } from '../console/blocker-groups.ts'
import { BlockerList, blockersText, FindingList } from '../console/blocker-list.tsx'
import { Card, Notice } from '../parts/blocks.tsx'
import { texts } from '../texts/index.ts'
import { Acknowledge } from './acknowledge.tsx'
import type { CheckState } from './use-check.ts'

export interface CheckViewProps {
  readonly check: CheckState
  readonly accept: ReadonlySet<string>
  onAccept(codes: ReadonlySet<string>): void
}

/** The result of the check in the browser. */
export function CheckView({ check, accept, onAccept }: CheckViewProps) {
  const t = texts.console.new.check
  return (
    <div role="status">
      {check.is === 'running' && <p className="quiet">{t.running}…</p>}
      {check.is === 'failed' && (
        <Notice tone="warn" title={t.failedTitle}>
          {t.failed(check.message)}
        </Notice>
      )}
      {check.is === 'done' && check.blockers.length === 0 && (
        <Notice tone="pass" title={check.findings.length === 0 ? t.goodTitle : t.goodWithNotices}>
          {t.good}
        </Notice>
      )}
      {check.is === 'done' && check.blockers.length > 0 && (
        <Card title={t.badTitle(blockersText(check.blockers))}>
          <p className="quiet">{t.bad}</p>
          <BlockerList blockers={check.blockers} />
        </Card>
      )}
      {check.is === 'done' && <Acknowledge findings={check.findings} accept={accept} onAccept={onAccept} />}
      {check.is === 'done' && (
        <FindingList findings={check.findings.filter((finding) => !isBlocking(finding))} />
      )}
    </div>
  )
}
