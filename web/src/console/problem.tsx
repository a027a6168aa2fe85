import { Component, type ReactNode } from 'react'
import { Link } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import { Heading, Notice } from '../parts/blocks.tsx'
import { Button } from '../parts/button.tsx'

export interface NotFoundProps {
  readonly title?: string
  readonly text?: string
}

/** Not found, with a link to the submissions. */
export function NotFound({ title = t('notFound.title'), text = t('notFound.text') }: NotFoundProps) {
  return (
    <>
      <Heading title={title} lead={text} />
      <Link href="/console/submissions">{t('console.toSubmissions')}</Link>
    </>
  )
}

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
        <Button onClick={() => location.reload()}>{t('problem.reload')}</Button>
      </Notice>
    )
  }
}
