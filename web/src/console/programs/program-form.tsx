import type { NewProgram, Program } from '@kitseal/client'
import type { NewInvitation } from '../../core/console-types.generated.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { nameText } from '../../core/readable.ts'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { BackLink, Card, Heading, Notice, Problem, QueryState } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { Fields, Form } from '../../parts/fields.tsx'
import { api } from '../client.ts'
import { EditItems, useKeptFields } from '../items/edit-items.tsx'
import {
  DEFAULT_DUE_DAYS,
  draftOf,
  firstDay,
  importedItems,
  type ItemDraft,
  programItems,
  strangersIn,
} from '../items/item-drafts.ts'
import { MEMBERS, showInvitations } from '../people/members-page.tsx'
import { queries, useChange, useOnce } from '../queries.tsx'
import { useAllowed, useMe } from '../session.tsx'
import { PROGRAMS } from './programs-page.tsx'

const CADENCES = ['monthly', 'quarterly', 'half_yearly', 'yearly', 'none'] as const

/** A new program; or name, message, cadence and items of one that exists. */
export default function ProgramPage({ id }: { readonly id: string }) {
  const query = useQuery({
    queryKey: [...PROGRAMS, id, 'edit'],
    queryFn: () => api.getProgram(id),
    enabled: id !== '',
    gcTime: 0,
    staleTime: Infinity,
  })
  if (id === '') return <ProgramForm />
  return query.data === undefined ? <QueryState query={query} /> : <ProgramForm program={query.data} />
}

const valuesOf = (program: Program | undefined) => ({
  name: program?.name ?? '',
  message: program?.message ?? '',
  cadence: (program?.cadence ?? 'quarterly') as string,
  starts: program?.starts_on ?? firstDay('quarterly', new Date()),
  items: (program?.items.map(draftOf) ?? []) as readonly ItemDraft[],
})

type Values = ReturnType<typeof valuesOf>

function ProgramForm({ program }: { readonly program?: Program }) {
  const [values, set, forget] = useKeptFields(`program ${program?.program_id ?? 'new'}`, () =>
    valuesOf(program),
  )
  const { starts, items } = values
  const cadence = values.cadence as NewProgram['cadence']
  const { sends_mail: sendsMail } = useMe()
  const people = useQuery({ queryKey: MEMBERS, queryFn: () => api.listMembers() })
  const everyone = [
    ...(people.data?.members ?? []),
    ...(people.data?.invitations ?? []).map(({ email, role }) => ({ email, role, name: null })),
  ]
  const owners = everyone.filter(({ role }) => role !== 'viewer')
  const viewers = everyone.filter(({ role }) => role === 'viewer')
  const strangers = strangersIn(items, owners, viewers)
  const { is: mayInvite } = useAllowed('members')
  const saving = useSaveProgram(program, values, mayInvite ? strangers.addresses : [], forget)
  const isStopped =
    strangers.names.length > 0 ||
    strangers.viewers.length > 0 ||
    (!mayInvite && strangers.addresses.length > 0)
  const changeCadence = (changed: Partial<Values>): void => {
    const isDefault = program === undefined && starts === firstDay(cadence, new Date())
    set(
      changed.cadence === undefined || !isDefault
        ? changed
        : { ...changed, starts: firstDay(changed.cadence as NewProgram['cadence'], new Date()) },
    )
  }
  const suppliers = items.filter(({ source }) => source === 'request').length
  return (
    <Form onSubmit={() => saving.mutate()}>
      <BackLink
        href={program === undefined ? '/console/programs' : `/console/programs/${program.program_id}`}
      >
        {program === undefined ? t('console.programs.all') : nameText(program.name)}
      </BackLink>
      <Heading
        title={program === undefined ? t('console.titles.newProgram') : t('console.programs.actions.edit')}
        lead={program === undefined ? t('console.programs.lead') : t('console.programs.form.changeHint')}
      />
      <Card>
        <Fields
          texts="console.programs.form"
          values={values}
          set={changeCadence}
          fields={[
            { name: 'name', isRequired: true, maxLength: 90 },
            {
              name: 'cadence',
              is: 'select',
              options: CADENCES.map((value) => ({ value, label: t(`console.programs.cadences.${value}`) })),
            },
            program === undefined && {
              name: 'starts',
              hint: openingText(cadence, starts),
              is: 'date',
              isRequired: true,
            },
            { name: 'message', is: 'area', rows: 2, maxLength: 5000 },
          ]}
        />
      </Card>
      <Card title={t('console.programs.form.items')}>
        <EditItems
          items={items}
          program={{
            owners,
            defaultDays: DEFAULT_DUE_DAYS[cadence],
          }}
          onImport={(list) => set({ items: importedItems(list, owners, starts) })}
          onChange={(changed) => set({ items: changed })}
        />
      </Card>
      {(
        [
          [mayInvite ? 'willInvite' : 'askOwner', strangers.addresses],
          ['unknownOwners', strangers.names],
          ['viewerOwners', strangers.viewers],
        ] as const
      ).map(
        ([text, named]) =>
          named.length > 0 && (
            <Notice key={text} tone={text === 'willInvite' ? 'info' : 'warn'}>
              {t(`console.programs.form.${text}`, { owners: named.map(nameText) })}
            </Notice>
          ),
      )}
      <Problem error={saving.error} />
      <div className="bar">
        <span className="quiet">
          {items.length === 0
            ? t('console.requests.form.needsItems')
            : t('console.programs.form.ready', { items: items.length, suppliers, isMailed: sendsMail })}
        </span>
        <Button
          type="submit"
          look="main"
          isBusy={saving.isPending}
          disabled={items.length === 0 || isStopped}
        >
          {program === undefined ? t('console.programs.form.create') : t('console.programs.form.save')}
        </Button>
      </div>
    </Form>
  )
}

function openingText(cadence: NewProgram['cadence'], starts: string): string {
  if (cadence === 'none') return t('console.programs.form.opensByHand')
  return starts <= new Date().toISOString().slice(0, 10)
    ? t('console.programs.form.opensNow')
    : t('console.programs.form.opensLater')
}

/** Invites the owners who are no members yet, saves the program, and shows the links of the invitations. */
function useSaveProgram(
  program: Program | undefined,
  { name, message, cadence, starts, items }: Values,
  toInvite: readonly string[],
  forget: () => void,
) {
  const { sends_mail: sendsMail } = useMe()
  const onceFor = useOnce()
  // Kept if the program could not be saved: the links are shown once it is.
  const invited = useRef<NewInvitation[]>([])
  return useChange(
    PROGRAMS,
    async () => {
      for (const email of toInvite) invited.current.push(await api.invite(email, 'member'))
      if (toInvite.length > 0) await queries.invalidateQueries({ queryKey: MEMBERS })
      const terms = {
        name: name.trim(),
        cadence: cadence as NewProgram['cadence'],
        message: message.trim() || null,
        items: programItems(items, cadence as NewProgram['cadence']),
      }
      if (program !== undefined) return api.changeProgram(program.program_id, terms)
      const body = { ...terms, starts_on: starts }
      return api.createProgram(body, onceFor(body))
    },
    ({ program_id }) => {
      forget()
      navigate(`/console/programs/${program_id}`)
      if (invited.current.length > 0) showInvitations(invited.current, sendsMail)
    },
  )
}
