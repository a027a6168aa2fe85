import { Heading } from '../parts/blocks.tsx'
import { Link } from '../router.tsx'
import { texts } from '../texts/index.ts'

/** Not found, with a link to the submissions. */
export function NotFound() {
  const { title, text } = texts.notFound
  return <Nothing title={title} text={text} />
}

export function NoSuchSubmission() {
  const { title, text } = texts.console.submission.missing
  return <Nothing title={title} text={text} />
}

function Nothing({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      <Heading title={title} lead={text} />
      <Link href="/console/submissions">{texts.console.toSubmissions}</Link>
    </>
  )
}
