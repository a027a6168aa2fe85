import { Checkbox, Radio, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../core/readable.ts'
import { Link } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { ChangeForm, Dialog } from '../dialogs.tsx'
import { useFields } from '../form.tsx'
import { QueryState } from '../problem.tsx'
import { useLinkFields } from '../shares/link-fields.tsx'
import { type Linked, ofRoom } from '../shares/linked.ts'
import { NewLink } from '../shares/new-link.tsx'
import { SHARES } from '../shares/shares-key.ts'

export interface RoomDialogProps {
  /** The kit or the series that the dialog begins with. */
  readonly kitId?: string
  onClose(): void
}

/** Opens a room for reviewers, with chosen kits or with a series, and shows its links. */
export function RoomDialog({ kitId, onClose }: RoomDialogProps) {
  const { values, set, text, given } = useFields({
    title: '',
    what: 'kits',
    series: null as string | null,
    kits: (kitId === undefined ? [] : [kitId]) as readonly string[],
  })
  const [made, setMade] = useState<Linked>()
  const links = useLinkFields()
  const isSeries = values.what === 'series'
  const make = async () =>
    ofRoom(
      await api.createRoom({
        title: values.title.trim(),
        ...(isSeries ? { series: values.series ?? '' } : { kits: values.kits }),
        ...links.body,
      }),
    )
  const form = (
    <ChangeForm
      className="fields"
      action={links.action}
      stale={SHARES}
      isReady={values.title.trim() !== '' && (isSeries ? values.series !== null : values.kits.length > 0)}
      run={make}
      onDone={setMade}
      onClose={onClose}
    >
      <TextInput
        label={t('console.rooms.name')}
        description={t('console.rooms.nameHint')}
        required
        maxLength={200}
        {...text('title')}
      />
      {links.inputs}
      <Radio.Group label={t('console.rooms.what')} {...given('what')}>
        <div className="share-choice">
          <Radio value="kits" label={t('console.rooms.chosen')} />
          <Radio value="series" label={t('console.rooms.wholeSeries')} />
        </div>
      </Radio.Group>
      {isSeries ? (
        <SeriesChoice value={values.series} onChange={(name) => set({ series: name })} />
      ) : (
        <KitChoice chosen={values.kits} onChange={(kits) => set({ kits })} />
      )}
      <p className="quiet">{t('room.visible')}</p>
      {links.options}
    </ChangeForm>
  )
  return (
    <Dialog
      title={made === undefined ? t('console.rooms.title') : t('console.rooms.created')}
      onClose={onClose}
    >
      {made === undefined ? (
        form
      ) : (
        <>
          <p>
            <Link href={`/console/rooms/${made.id}`}>{t('console.rooms.toRoom')}</Link>
          </p>
          <NewLink share={made} onDone={onClose} />
        </>
      )}
    </Dialog>
  )
}

interface SeriesChoiceProps {
  readonly value: string | null
  onChange(series: string | null): void
}

function SeriesChoice({ value, onChange }: SeriesChoiceProps) {
  const list = useQuery({ queryKey: ['series'], queryFn: () => api.listSeries({ limit: 100 }) })
  const names = (list.data?.data ?? []).map(({ series }) => series)
  return (
    <>
      <Select
        label={t('console.rooms.series')}
        description={t('console.rooms.seriesHint')}
        searchable
        data={value === null || names.includes(value) ? names : [value, ...names]}
        value={value}
        onChange={onChange}
      />
      <QueryState query={list} />
    </>
  )
}

interface KitChoiceProps {
  readonly chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}

/** The newest kits, or those whose name matches. */
function KitChoice({ chosen, onChange }: KitChoiceProps) {
  const [wanted, setWanted] = useState('')
  const list = useQuery({
    queryKey: ['submissions', 'for a room', wanted],
    queryFn: () =>
      api.listSubmissions({
        status: 'PASS',
        limit: 50,
        ...(wanted.trim() === '' ? {} : { q: wanted.trim() }),
      }),
    placeholderData: (before) => before,
  })
  return (
    <>
      <TextInput
        label={t('console.rooms.find')}
        value={wanted}
        onChange={({ currentTarget }) => setWanted(currentTarget.value)}
      />
      <QueryState query={list} />
      <div className="share-files" role="group" aria-label={t('console.rooms.chosen')}>
        {(list.data?.data ?? []).map(({ kit_id, label, created_at }) =>
          kit_id === null ? null : (
            <Checkbox
              key={kit_id}
              label={
                <>
                  {nameText(label)} <Time at={created_at} as="day" className="quiet" />
                </>
              }
              checked={chosen.includes(kit_id)}
              onChange={({ currentTarget }) =>
                onChange(
                  currentTarget.checked ? [...chosen, kit_id] : chosen.filter((each) => each !== kit_id),
                )
              }
            />
          ),
        )}
      </div>
      <p className="quiet" role="status">
        {t('console.rooms.count', { kits: chosen.length })}
      </p>
    </>
  )
}
