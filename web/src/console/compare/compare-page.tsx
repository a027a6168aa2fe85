import type { Operations, SubmissionSummary } from '@kitseal/client'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Card, EmptyCard, Heading } from '../../parts/blocks.tsx'
import { localText } from '../../parts/time.tsx'
import { navigate } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { queryText } from '../../query-text.ts'
import { api } from '../client.ts'
import { NewSubmission } from '../new-submission.tsx'
import { QueryState } from '../problem.tsx'
import { pageAt } from '../use-pages.ts'
import { Compared } from './compared.tsx'

export interface ComparePageProps {
  readonly from: string | null
  readonly to: string | null
}

const go = (from: string | null, to: string | null): void =>
  navigate(`/console/compare${queryText({ from, to })}`, { replace: true })

export function ComparePage({ from, to }: ComparePageProps) {
  const kits = useKits({ status: 'PASS' })
  const newest = kits.data ?? []
  // A linked kit may be older than the newest hundred, so it and the kits with its name are loaded separately.
  const isOlder = kits.data !== undefined && to !== null && !newest.some(({ kit_id }) => kit_id === to)
  const own = useKits({ q: to ?? '' }, isOlder)
  // The search also matches labels and submission IDs.
  const older = isOlder ? (own.data ?? []).filter(({ kit_id }) => kit_id === to) : []
  const issued = [...newest, ...older]
  const scope = issued.find(({ kit_id }) => kit_id === to)?.label
  const ofScope = useKits({ label: scope ?? '' }, scope !== undefined)
  const t = texts.console.compare
  const later = options(issued)
  const all = ofScope.data ?? issued
  const position = all.findIndex(({ kit_id }) => kit_id === to)
  const siblings = all.filter((one) => one.kit_id !== to && (scope === undefined || one.label === scope))
  const sorted = siblings.toSorted((a, b) => isAfter(all, a, position) - isAfter(all, b, position))
  // Kits with the same name come first.
  const others = issued.filter(
    (one) => one.kit_id !== to && !sorted.some(({ kit_id }) => kit_id === one.kit_id),
  )
  const earlier = options([...sorted, ...others])
  // Newest first: defaults to the previous kit.
  const isKnown = !own.isLoading && !ofScope.isLoading
  const chosen = from ?? (to !== null && isKnown ? (earlier[0]?.value ?? null) : null)
  return (
    <>
      <Heading title={texts.console.titles.compare} lead={t.lead} />
      <QueryState query={kits} />
      {kits.data !== undefined && issued.length < 2 && (
        <EmptyCard icon="compare" {...t.none} action={<NewSubmission />} />
      )}
      {issued.length >= 2 && (
        <Card>
          <div className="fields two">
            <Select
              label={t.to}
              placeholder={t.choose}
              data={later}
              value={to}
              searchable
              nothingFoundMessage={t.nothing}
              onChange={(value) => go(null, value)}
            />
            <Select
              label={t.from}
              placeholder={to === null ? t.chooseLaterFirst : t.choose}
              description={scope !== undefined && earlier.length === 0 ? t.noSibling : undefined}
              data={earlier}
              value={chosen}
              searchable
              disabled={to === null || earlier.length === 0}
              nothingFoundMessage={t.nothing}
              onChange={(value) => go(value, to)}
            />
          </div>
        </Card>
      )}
      {chosen !== null && to !== null && <Compared from={chosen} to={to} />}
    </>
  )
}

type ListQuery = Operations['listSubmissions']['query']

/** The newest hundred matches. */
function useKits(asked: ListQuery, isWanted = true) {
  return useQuery({
    queryKey: ['submissions', 'kits', asked],
    queryFn: () => found(asked),
    enabled: isWanted,
  })
}

/** A search scans one page at a time, and a page may have no match. */
async function found(query: ListQuery): Promise<readonly Issued[]> {
  for (let cursor: string | null = null; ;) {
    const page = await api.listSubmissions({ ...query, ...pageAt(cursor), limit: 100 })
    const issued = (page.data as readonly SubmissionSummary[]).filter(hasKit)
    if (issued.length > 0 || page.next_cursor === null) return issued
    cursor = page.next_cursor
  }
}

/** 1 if the kit is newer than the one at this position of the list, otherwise 0. */
const isAfter = (issued: readonly Issued[], one: Issued, position: number): 0 | 1 =>
  issued.indexOf(one) < position ? 1 : 0

type Issued = SubmissionSummary & { readonly kit_id: string }
const hasKit = (one: SubmissionSummary): one is Issued => one.kit_id !== null

const options = (issued: readonly Issued[]) =>
  issued.map(({ kit_id, label, updated_at }) => ({
    value: kit_id,
    // The time comes first, because kits with the same name differ only in it and long options are cut off.
    label: `${localText(updated_at)}, ${label}`,
  }))
