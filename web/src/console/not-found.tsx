import { Empty } from '../parts/blocks.tsx'
import { Link } from '../router.tsx'
import { texts } from '../texts/index.ts'

export function NotFound() {
  const t = texts.notFound
  return (
    <Empty
      icon="search"
      title={t.title}
      action={<Link href="/console">{texts.console.titles.submissions}</Link>}
    >
      {t.text}
    </Empty>
  )
}
