import { useQuery } from '@tanstack/react-query'
import type { Finding } from '../../core/findings.ts'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Button } from '../../parts/button.tsx'
import { Fields } from '../../parts/fields.tsx'
import { PossibleSecrets } from '../../parts/finding-list.tsx'
import { api } from '../client.ts'
import { askChange } from '../queries.tsx'
import { useAllowed, useMe } from '../session.tsx'
import { addressesIn } from '../items/item-drafts.ts'
import { ofRoom, ofShare, inDays, limitFields, LIVES, SHARES, showLinks } from './shares-page.tsx'

export interface ShareButtonProps {
  readonly kitId: string
  readonly label: string
  readonly series: string | null
  /** Paths of the evidence. */
  readonly paths: readonly string[]
  readonly findings: readonly Finding[]
}

/** Shares a kit, or opens a room with it and with others. Not shown to viewers. */
export function ShareButton(props: ShareButtonProps) {
  const { sends_mail: sendsMail } = useMe()
  const isAllowed = useAllowed('shares').is
  const kits = useQuery({
    queryKey: ['submissions', 'for a room'],
    queryFn: () => api.listSubmissions({ status: 'PASS', limit: 50 }),
    enabled: isAllowed,
  })
  if (!isAllowed) return null
  const others = (kits.data?.data ?? []).flatMap(({ kit_id, label, created_at }) =>
    kit_id === null || kit_id === props.kitId
      ? []
      : [{ value: kit_id, label: `${nameText(label)} · ${created_at.slice(0, 10)}` }],
  )
  return (
    <Button look="main" icon="share" onClick={() => shareKit(props, others, sendsMail)}>
      {t('console.shares.share')}
    </Button>
  )
}

const NEW = {
  to: '',
  life: '14',
  note: '',
  isRoom: false,
  title: '',
  what: 'whole',
  chosen: [] as readonly string[],
  others: [] as readonly string[],
  password: '',
  limit: '',
  isNotified: false,
}

type Values = typeof NEW

/** What shares and rooms have in common. */
const common = ({ to, life, note, password, limit, isNotified }: Values) => ({
  expires_at: inDays(life),
  ...(addressesIn(to).length === 0 ? {} : { recipients: addressesIn(to) }),
  ...(note.trim() === '' ? {} : { note: note.trim() }),
  ...(password === '' ? {} : { password }),
  ...(limit === '' ? {} : { max_downloads: Number(limit) }),
  ...(isNotified ? { notify_downloads: true } : {}),
})

/** Whom it is for, and how long; then what is shared; then password and limit. */
function shareKit(
  { kitId, label, series, paths, findings }: ShareButtonProps,
  others: readonly { readonly value: string; readonly label: string }[],
  sendsMail: boolean,
): void {
  const whoText = ({ to, password }: Values): string => {
    if (addressesIn(to).length > 0)
      return sendsMail ? t('console.shares.willMail') : t('console.shares.noMail')
    return password === '' ? t('console.shares.forAnyone') : t('console.shares.forAnyoneWithPassword')
  }
  askChange({
    title: t('console.shares.title', { label: nameText(label) }),
    text: <PossibleSecrets findings={findings} />,
    action: t(sendsMail ? 'console.shares.mail' : 'console.shares.make'),
    stale: SHARES,
    texts: 'console.shares',
    initial: NEW,
    fields: (values) => [
      { name: 'to', maxLength: 5000, autoComplete: 'off' },
      { name: 'life', is: 'select', options: LIVES },
      { name: 'note', maxLength: 500 },
      { name: 'isRoom', label: t('console.rooms.open'), hint: t('room.visible'), is: 'tick' },
      values.isRoom && {
        name: 'title',
        label: t('console.rooms.name'),
        hint: t('console.rooms.nameHint'),
        isRequired: true,
        maxLength: 200,
      },
      values.isRoom &&
        series !== null && {
          name: 'what',
          label: t('console.rooms.what'),
          is: 'choice',
          options: [
            { value: 'whole', label: t('console.rooms.chosen') },
            { value: 'series', label: t('console.rooms.ofSeries', { series: nameText(series) }) },
          ],
        },
      values.isRoom &&
        values.what !== 'series' &&
        others.length > 0 && {
          name: 'others',
          label: t('console.rooms.others'),
          is: 'ticks',
          options: others,
        },
      !values.isRoom &&
        paths.length > 1 && {
          name: 'what',
          is: 'choice',
          options: [
            { value: 'whole', label: t('console.shares.whole') },
            { value: 'some', label: t('console.shares.some') },
          ],
        },
      !values.isRoom &&
        values.what === 'some' && {
          name: 'chosen',
          label: t('console.shares.chosen'),
          is: 'ticks',
          options: paths.map((value) => ({ value, label: nameText(value.replace(/^data\//, '')) })),
        },
    ],
    more: (values, set) => (
      <>
        <p className="quiet" role="status">
          {whoText(values)}
        </p>
        <details>
          <summary>{t('console.shares.options')}</summary>
          <Fields texts="console.shares" fields={limitFields(sendsMail)} values={values} set={set} />
        </details>
      </>
    ),
    isReady: ({ isRoom, title, what, chosen }) =>
      isRoom ? title.trim() !== '' : what !== 'some' || chosen.length > 0,
    run: async (values) => {
      const { isRoom, title, what, chosen } = values
      if (!isRoom)
        return ofShare(
          await api.createShare({
            kit_id: kitId,
            ...(what === 'some' ? { paths: [...chosen] } : {}),
            ...common(values),
          }),
        )
      return ofRoom(
        await api.createRoom({
          title: title.trim(),
          ...(what === 'series' && series !== null ? { series } : { kits: [kitId, ...values.others] }),
          ...common(values),
        }),
      )
    },
    onDone: showLinks,
  })
}
