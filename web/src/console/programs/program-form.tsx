import type { NewProgram, Program } from '@kitseal/client'
import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { BackLink, Card, Heading, Notice } from '../../parts/blocks.tsx'
import { nameText } from '../../core/readable.ts'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { api, once } from '../client.ts'
import { Form, useFields } from '../form.tsx'
import { Permitted } from '../permitted.tsx'
import { Problem, QueryState } from '../problem.tsx'
import { randomKey } from '../../core/random-key.ts'
import { ImportItems, ProfileItems } from '../requests/import-items.tsx'
import { useChange } from '../use-change.ts'
import '../../styles/programs.css'
import '../../styles/requests.css'
import { DEFAULT_DUE_DAYS, draftOf, firstDay, importedItems, type ItemDraft, itemsOf } from './item-drafts.ts'
import { ProgramItems } from './program-items.tsx'
import { PROGRAMS } from './programs-key.ts'
import { useOwners } from './use-owners.ts'

const CADENCES = ['monthly', 'quarterly', 'half_yearly', 'yearly', 'none'] as const

export function NewProgramPage() {
  return (
    <Permitted to="programs" title={t('console.titles.newProgram')}>
      <ProgramForm />
    </Permitted>
  )
}

/** Name, message, cadence and items of a program that exists. */
export function EditProgramPage({ id }: { readonly id: string }) {
  const query = useQuery({ queryKey: [...PROGRAMS, id, 'edit'], queryFn: () => api.getProgram(id) })
  return (
    <Permitted to="programs" title={t('console.titles.program')}>
      {query.data === undefined ? <QueryState query={query} /> : <ProgramForm program={query.data} />}
    </Permitted>
  )
}

const newFields = () => ({
  name: '',
  message: '',
  cadence: 'quarterly' as NewProgram['cadence'],
  starts: firstDay('quarterly', new Date()),
})

function ProgramForm({ program }: { readonly program?: Program }) {
  const { values, set, text } = useFields(() =>
    program === undefined
      ? newFields()
      : {
          name: program.name,
          message: program.message ?? '',
          cadence: program.cadence,
          starts: program.starts_on,
        },
  )
  const { name, message, cadence, starts } = values
  const [items, setItems] = useState<readonly ItemDraft[]>(() => program?.items.map(draftOf) ?? [])
  const [unknown, setUnknown] = useState<readonly string[]>([])
  const members = useOwners()
  const key = useRef(randomKey())
  const saving = useChange(
    PROGRAMS,
    () => {
      const terms = { name: name.trim(), cadence, message: message.trim() || null }
      const all = itemsOf(items, cadence)
      if (program !== undefined) return api.changeProgram(program.program_id, { ...terms, items: all })
      return api
        .createProgram({ ...terms, starts_on: starts, items: all }, once(key.current))
        .catch((error: unknown) => {
          // Another body needs another key.
          key.current = randomKey()
          throw error
        })
    },
    ({ program_id }) => navigate(`/console/programs/${program_id}`),
  )
  const suppliers = items.filter(({ source }) => source === 'request')
  const opening =
    cadence === 'none'
      ? t('console.programs.form.opensByHand')
      : starts <= today()
        ? t('console.programs.form.opensNow')
        : t('console.programs.form.opensLater')
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
        <div className="fields">
          <TextInput
            label={t('console.programs.form.name')}
            description={t('console.programs.form.nameHint')}
            required
            maxLength={90}
            autoFocus
            {...text('name')}
          />
          <div className="program-dates">
            <Select
              label={t('console.programs.form.cadence')}
              data={CADENCES.map((value) => ({ value, label: t(`console.programs.cadences.${value}`) }))}
              value={cadence}
              allowDeselect={false}
              onChange={(value) => {
                if (value === null) return
                const isDefault = starts === firstDay(cadence, new Date())
                set({
                  cadence: value,
                  ...(isDefault && program === undefined ? { starts: firstDay(value, new Date()) } : {}),
                })
              }}
            />
            {program === undefined && (
              <TextInput
                label={t('console.programs.form.starts')}
                type="date"
                required
                description={opening}
                inputWrapperOrder={['label', 'input', 'description']}
                {...text('starts')}
              />
            )}
          </div>
          <Textarea
            label={t('console.programs.form.message')}
            rows={2}
            maxLength={5000}
            {...text('message')}
          />
        </div>
      </Card>
      <Card title={t('console.programs.form.items')}>
        <p className="quiet">{t('console.programs.form.itemsHint')}</p>
        <div className="request-sources">
          <ImportItems
            isProgram
            onItems={(list) => {
              const imported = importedItems(list, members, starts)
              setItems(imported.items)
              setUnknown(imported.unknown)
            }}
          />
          <ProfileItems onItems={(list) => setItems(importedItems(list, members, starts).items)} />
        </div>
        {unknown.length > 0 && (
          <Notice tone="warn" isAlert>
            {t('console.programs.form.unknownOwners', { owners: unknown.map(nameText) })}
          </Notice>
        )}
        <ProgramItems
          items={items}
          members={members}
          defaultDays={DEFAULT_DUE_DAYS[cadence]}
          onChange={setItems}
        />
      </Card>
      {saving.error !== null && <Problem error={saving.error} />}
      <div className="row send-bar">
        <span className="quiet">
          {items.length === 0
            ? t('console.requests.form.needsItems')
            : t('console.programs.form.ready', { items: items.length, suppliers: suppliers.length })}
        </span>
        <Button type="submit" size="md" loading={saving.isPending} disabled={items.length === 0}>
          {program === undefined ? t('console.programs.form.create') : t('console.programs.form.save')}
        </Button>
      </div>
    </Form>
  )
}

const today = (): string => new Date().toISOString().slice(0, 10)
