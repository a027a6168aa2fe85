import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Card, Empty, Heading } from '../../parts/blocks.tsx'
import { List } from '../../parts/list.tsx'
import { Time } from '../../parts/time.tsx'
import { api } from '../client.ts'
import { ProgressOf } from '../items/item-card.tsx'
import { usePages } from '../queries.tsx'
import { NewButton } from '../blocks.tsx'

/** The queries of programs. */
export const PROGRAMS = ['programs'] as const

/** All programs, each with its newest period. */
export default function ProgramsPage() {
  const list = usePages([...PROGRAMS, 'list'], (page, options) =>
    api.listPrograms({ ...page, limit: 100 }, options),
  )
  return (
    <>
      <Heading
        title={t('console.titles.programs')}
        lead={t('console.programs.lead')}
        actions={
          <NewButton to="programs" href="/console/programs/new" text={t('console.titles.newProgram')} />
        }
      />
      <Card>
        <List
          query={list}
          empty={<Empty icon="list" texts="console.programs.none" />}
          texts="console.programs.columns"
          columns={[
            {
              name: 'name',
              of: 'titles',
              cell: ({ name }) => nameText(name),
              href: ({ program_id }) => `/console/programs/${program_id}`,
              below: ({ cadence, ended_at, item_count }) =>
                `${ended_at === null ? t(`console.programs.cadences.${cadence}`) : t('console.programs.ended')} · ${t('console.programs.items', { count: item_count })}`,
            },
            {
              name: 'period',
              cell: ({ period }) =>
                period === null
                  ? '–'
                  : `${period.period} · ${t(`console.programs.board.periods.${period.status}`)}`,
            },
            {
              name: 'progress',
              cell: ({ period, name }) => {
                if (period === null) return null
                const { items, accepted, not_applicable } = period.progress
                const done = accepted + not_applicable
                return (
                  <ProgressOf
                    label={t('console.programs.acceptedLabel', { name })}
                    done={done}
                    of={items}
                    text={t('console.programs.accepted', { accepted: done, items })}
                  />
                )
              },
            },
            {
              name: 'due',
              cell: ({ next_due_at }) =>
                next_due_at === null ? (
                  <span className="quiet">{t('console.programs.nothingDue')}</span>
                ) : (
                  <Time at={next_due_at} as="relative" />
                ),
              below: ({ late }) =>
                late === 0 ? null : (
                  <span className="bad strong">{t('console.programs.lateCount', { count: late })}</span>
                ),
            },
          ]}
        />
      </Card>
    </>
  )
}
