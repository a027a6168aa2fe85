import { Button } from '@mantine/core'
import { countListed, isBlocking, isTruncated } from '../core/findings.ts'
import { BlockerList, FindingList } from '../parts/finding-list.tsx'
import { Card, Notice } from '../parts/blocks.tsx'
import { Icon } from '../parts/icons.tsx'
import { t } from '../core/texts.ts'
import { Acknowledge } from './acknowledge.tsx'
import type { CheckState } from './use-check.ts'

export const PROBLEMS_ID = 'problems'

export interface CheckViewProps {
  readonly check: CheckState
  readonly accept: ReadonlySet<string>
  /** How many of the files have problems. */
  readonly problemFiles: number
  onAccept(codes: ReadonlySet<string>): void
  /** Removes the files with problems. */
  onRemove: (() => void) | undefined
}

/** "5 problems", or "499+ problems" if the list is truncated. */
export const problemsText = ({ blockers }: Extract<CheckState, { readonly is: 'done' }>): string =>
  t('console.new.problems', { count: countListed(blockers), more: isTruncated(blockers) })

/** The problems that block submitting, with their remedies. */
export function CheckView({ check, accept, problemFiles, onAccept, onRemove }: CheckViewProps) {
  if (check.is === 'failed')
    return (
      <Notice tone="warn" title={t('console.new.check.failedTitle')}>
        {t('console.new.check.failed', { why: check.message })}
      </Notice>
    )
  if (check.is !== 'done') return null
  return (
    <>
      {check.blockers.length > 0 && (
        <Card
          id={PROBLEMS_ID}
          title={t('console.new.check.badTitle', { problems: problemsText(check) })}
          className="problems"
          actions={
            problemFiles > 0 &&
            onRemove !== undefined && (
              <Button
                variant="default"
                leftSection={<Icon name="trash" size={16} />}
                onClick={({ currentTarget }) => {
                  currentTarget.closest('main')?.focus({ preventScroll: true })
                  onRemove()
                }}
              >
                {t('console.new.check.removeFiles', { count: problemFiles })}
              </Button>
            )
          }
        >
          <p className="quiet">{t('console.new.check.bad')}</p>
          <BlockerList blockers={check.blockers} />
        </Card>
      )}
      <Acknowledge findings={check.findings} accept={accept} onAccept={onAccept} />
    </>
  )
}

/** What was noticed and does not block. */
export function Notices({ check }: { readonly check: CheckState }) {
  if (check.is !== 'done') return null
  return <FindingList findings={check.findings.filter((finding) => !isBlocking(finding))} />
}
