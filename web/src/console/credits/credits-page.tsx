import { Card, Empty, Heading } from '../../parts/blocks.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { numberText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { LoadMore } from '../load-more.tsx'
import { QueryState } from '../problem.tsx'
import { SubmissionLink } from '../submission-link.tsx'
import { NotFound } from '../not-found.tsx'
import { useMe } from '../session.tsx'
import { usePages } from '../use-pages.ts'

export function CreditsPage() {
  const { credits } = useMe().workspace
  const t = texts.console.credits
  if (credits === null) return <NotFound />
  const { available, held } = credits
  return (
    <>
      <Heading title={texts.console.titles.credits} lead={t.lead} />
      <div className="figures">
        <div className="card figure">
          <span className="figure-number">{numberText(available)}</span>
          <span className="quiet">{t.available}</span>
        </div>
        <div className="card figure">
          <span className="figure-number">{numberText(held)}</span>
          <span className="quiet">{t.held}</span>
        </div>
      </div>
      <Ledger />
    </>
  )
}

function Ledger() {
  const ledger = usePages(['credits', 'ledger'], (page) => api.getCredits(page))
  const t = texts.console.credits
  return (
    <Card title={t.ledger}>
      <QueryState query={ledger} />
      {ledger.isEmpty && <Empty icon="coins" title={t.none} />}
      {ledger.rows.length > 0 && (
        <RowTable
          rows={ledger.rows}
          keyOf={({ seq }) => seq}
          columns={[
            {
              name: t.columns.at,
              className: 'nowrap',
              cell: ({ created_at }) => <Time at={created_at} />,
            },
            {
              name: t.columns.what,
              className: 'long',
              cell: ({ kind, note, submission_id }) => (
                <>
                  {t.kinds[kind]}
                  {note !== null && <span className="quiet">: {note}</span>}
                  {submission_id !== null && (
                    <>
                      {' '}
                      <SubmissionLink id={submission_id} />
                    </>
                  )}
                </>
              ),
            },
            {
              name: t.columns.change,
              of: 'numbers',
              cell: ({ available_change }) => signed(available_change),
            },
            {
              name: t.columns.after,
              of: 'numbers',
              cell: ({ available_after }) => numberText(available_after),
            },
          ]}
        />
      )}
      <LoadMore query={ledger} />
    </Card>
  )
}

const signed = (amount: number): string =>
  amount > 0 ? `+${numberText(amount)}` : numberText(amount).replace('-', '−')
