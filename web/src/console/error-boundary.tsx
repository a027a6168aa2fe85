import { Button } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { Notice } from '../parts/blocks.tsx'
import { t } from '../core/texts.ts'

/** Shows an error message in place of a page that throws. */
export class ErrorBoundary extends Component<
  { readonly children: ReactNode },
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <Notice tone="fail" isAlert title={t('problem.title')}>
        <p>{t('problem.crashed')}</p>
        <Button variant="default" size="compact-sm" onClick={() => location.reload()}>
          {t('problem.reload')}
        </Button>
      </Notice>
    )
  }
}
