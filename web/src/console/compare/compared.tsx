import { useQuery } from '@tanstack/react-query'
import { Notice } from '../../parts/blocks.tsx'
import { Link } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { isMissing, QueryState } from '../problem.tsx'
import { Differences } from './differences.tsx'

/** What is different between two kits. */
export function Compared({ from, to }: { readonly from: string; readonly to: string }) {
  const comparison = useQuery({
    queryKey: ['compare', from, to],
    queryFn: () => api.compareKits(from, to),
  })
  const t = texts.console.compare
  if (isMissing(comparison.error))
    return (
      <Notice tone="warn">
        {t.missing} <Link href="/console/submissions">{texts.console.toSubmissions}</Link>
      </Notice>
    )
  if (comparison.data === undefined) return <QueryState query={comparison} />
  return (
    <>
      {comparison.data.from.label !== comparison.data.to.label && (
        <Notice tone="info">{t.scopesDiffer}</Notice>
      )}
      <Differences comparison={comparison.data} />
    </>
  )
}
