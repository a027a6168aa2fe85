import { Heading } from '../parts/blocks.tsx'
import { Link } from '../router.tsx'
import { texts } from '../texts/index.ts'

export function NotFound() {
  const t = texts.notFound
  return (
    <>
      <Heading title={t.title} lead={t.text} />
      <Link href="/console">{texts.console.titles.submissions}</Link>
    </>
  )
}
