import { Button, Progress } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../core/texts.ts'
import type { SupplierView } from './supplier-api.ts'

export interface SubmitBarProps {
  readonly view: SupplierView
  /** Files are being sent. */
  readonly isBusy: boolean
  readonly isSubmitting: boolean
  /** Files that were not sent. */
  readonly held: number
  onSubmit(): void
}

/** Always visible: how far it is, and Submit. Asks again if something is missing. */
export function SubmitBar({ view, isBusy, isSubmitting, held, onSubmit }: SubmitBarProps) {
  const [isAsking, setIsAsking] = useState(false)
  const { items } = view.progress
  const missing = view.items.filter(
    ({ status, files, not_applicable }) =>
      status !== 'accepted' && files.length === 0 && not_applicable === null,
  )
  const answered = items - missing.length
  const files = view.items.reduce((sum, item) => sum + item.files.length, view.other_files.length)
  const isComplete = missing.length === 0 && held === 0
  const submit = (): void => {
    if (isComplete || isAsking) onSubmit()
    else setIsAsking(true)
  }
  return (
    <div className="submit-bar">
      <div className="submit-progress">
        <span role="status">{t('request.progress', { answered, items, files })}</span>
        <Progress
          value={items === 0 ? 0 : (answered / items) * 100}
          aria-label={t('request.progressLabel')}
        />
        {isAsking && !isComplete && (
          <p className="submit-missing" role="alert">
            {missing.length > 0 && missingText(missing.map(({ title }) => title))}{' '}
            {held > 0 && t('request.held', { count: held })}
          </p>
        )}
      </div>
      <Button
        size="md"
        leftSection={<Icon name="check" />}
        disabled={files === 0 || isBusy}
        loading={isSubmitting}
        onClick={submit}
      >
        {isAsking && !isComplete ? t('request.submitAnyway') : t('request.submit')}
      </Button>
    </div>
  )
}

/** A few are named, more are counted. */
const missingText = (titles: readonly string[]): string =>
  titles.length > 3 ? t('request.missing', { count: titles.length }) : t('request.missingNames', { titles })
