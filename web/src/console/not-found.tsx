import { Heading } from '../parts/blocks.tsx'
import { Link } from '../core/router.tsx'
import { t } from '../core/texts.ts'

/** Not found, with a link to the submissions. */
export function NotFound() {
  return <Nothing title={t('notFound.title')} text={t('notFound.text')} />
}

export function NoSuchSubmission() {
  return <Nothing title={t('console.submission.missing.title')} text={t('console.submission.missing.text')} />
}

function Nothing({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      <Heading title={title} lead={text} />
      <Link href="/console/submissions">{t('console.toSubmissions')}</Link>
    </>
  )
}
