import type {
  ShareList,
  Room,
  RoomList,
  Share,
  ShareAccessList,
  ShareChange,
  ShareLinkRequest,
} from '@kitseal/client'
import { queryText, navigate } from '../../core/router.tsx'
import { nameText } from '../../core/readable.ts'
import { rich, t } from '../../core/texts.ts'
import { Card, Empty, Heading, Problem } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { List, RowTable } from '../../parts/list.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { api } from '../client.ts'
import { usePages, askChange, ChangeForm, useChange } from '../queries.tsx'
import { useAllowed, useMe } from '../session.tsx'
import { sentences } from '@kitseal/kit/in-browser/words'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog, openDialog } from '../../parts/ask.tsx'
import type { FieldList } from '../../parts/fields.tsx'
import { showOnce } from '../one-time.tsx'

type Listed = ShareList['data'][number]

/** Every share and room of the workspace, with its use. */
export default function SharesPage() {
  const { is: mayChange } = useAllowed('shares')
  const shares = usePages(SHARES, (page, options) => api.listShares({ ...page, limit: 100 }, options))
  const toKits = mayChange && (
    <Button look="main" icon="share" onClick={() => navigate('/console/submissions?status=PASS')}>
      {t('console.shares.choose')}
    </Button>
  )
  return (
    <>
      <Heading title={t('console.titles.shares')} lead={t('console.shares.lead')} actions={toKits} />
      <Rooms />
      <Card>
        <List
          query={shares}
          empty={<Empty icon="share" texts="console.shares.none" />}
          subject={({ label }) => label}
          actions={(share) =>
            actionsOf(mayChange, share.revoked_at).map((name) => ({
              text: t(`console.shares.${name}.action`),
              isDangerous: name === 'revoke',
              run: () => ACTIONS[name](ofShare(share)),
            }))
          }
          dataOf={({ status }) => ({ 'data-status': status })}
          texts="console.shares.columns"
          columns={[
            {
              name: 'what',
              of: 'titles',
              cell: ({ label }) => nameText(label),
              href: ({ kit_id }) => `/console/submissions${queryText({ q: kit_id })}`,
              below: contentOf,
            },
            {
              name: 'status',
              cell: ({ status }) => <Status of="share" is={status} texts="console.shares.statuses" />,
              below: (share) => {
                const time = <Time at={endOf(share)} as="relative" />
                return share.status === 'active' ? rich('console.shares.until', { time }) : time
              },
            },
            {
              name: 'used',
              cell: usedText,
              below: ({ last_access_at: at }) => at !== null && <Time at={at} as="ago" />,
            },
          ]}
        />
      </Card>
    </>
  )
}

function contentOf({ paths, has_password, note, recipients }: Listed): string {
  const people = recipients.map(({ email }) => nameText(email)).join(', ')
  return [
    paths === null ? t('console.shares.wholeKit') : t('console.shares.files', { count: paths.length }),
    ...(people === '' ? [] : [t('console.shares.recipients', { addresses: people })]),
    ...(has_password ? [t('console.shares.hasPassword')] : []),
    ...(note === null ? [] : [nameText(note)]),
  ].join(' · ')
}

const endOf = ({ revoked_at, status, last_access_at, expires_at }: Listed): string =>
  revoked_at ?? (status === 'exhausted' ? (last_access_at ?? expires_at) : expires_at)

function usedText({ last_access_at: at, downloads: count, max_downloads: limit }: Listed): string {
  if (at === null) return t('console.shares.neverUsed')
  return limit === null
    ? t('console.shares.downloads', { count })
    : t('console.shares.downloadsOf', { count, limit })
}

/** The rooms of the workspace. Nothing if there are none. */
function Rooms() {
  const rooms = usePages([...SHARES, 'rooms'], (page, options) =>
    api.listRooms({ ...page, limit: 50 }, options),
  )
  if (rooms.rows.length === 0 && rooms.error === null) return null
  return (
    <Card title={t('console.rooms.rooms')}>
      <List
        query={rooms}
        empty={null}
        dataOf={({ status }) => ({ 'data-status': status })}
        texts="console.rooms.columns"
        columns={[
          {
            name: 'room',
            of: 'titles',
            cell: ({ title }) => nameText(title),
            href: ({ room_id }) => `/console/rooms/${room_id}`,
            below: ({ kits, series, recipients }) =>
              [
                t('room.kits', { count: kits.length }),
                ...(series === null ? [] : [t('console.rooms.ofSeries', { series: nameText(series) })]),
                ...recipients.map(({ email }) => nameText(email)),
              ].join(' · '),
          },
          {
            name: 'status',
            cell: ({ status }) => <Status of="share" is={status} texts="console.shares.statuses" />,
            below: ({ expires_at }) =>
              rich('console.shares.until', { time: <Time at={expires_at} as="relative" /> }),
          },
          {
            name: 'questions',
            cell: ({ open_questions: count }) =>
              count === 0 ? t('console.rooms.noQuestions') : t('console.rooms.questions', { count }),
          },
          {
            name: 'used',
            cell: ({ last_access_at: at }) => <Time at={at} as="ago" never={t('console.shares.neverUsed')} />,
          },
        ]}
      />
    </Card>
  )
}

/** The queries of shares. */
export const SHARES = ['shares'] as const

export const LIVES = (['1', '7', '14', '30', '90', '365'] as const).map((value) => ({
  value,
  label: t(`console.shares.lives.${value}`),
}))
export const inDays = (days: string): string =>
  new Date(Date.now() + Number(days) * 24 * 60 * 60_000).toISOString()

/** How often a share may be used, by whom, and who is told. */
export interface Limits {
  readonly password: string
  readonly limit: string
  readonly isNotified: boolean
}

export const limitFields = (sendsMail: boolean): FieldList<Limits, 'console.shares'> => [
  { name: 'password', is: 'password', maxLength: 200, autoComplete: 'new-password' },
  { name: 'limit', is: 'number', min: 1, max: 1_000_000 },
  sendsMail && {
    name: 'isNotified',
    is: 'tick',
  },
]

/** What became of a mail. */
export function mailText(mail: Linked['recipients'][number]['mail']): string {
  if (mail === null) return t('console.shares.mails.none')
  const status = t(`console.shares.mails.${mail.status}`)
  return mail.reason === null
    ? status
    : t('console.shares.mails.because', { status, reason: nameText(mail.reason) })
}

/** The links of a new share or a new recipient, and what becomes of each mail. */
export function showLinks(share: Linked): void {
  const { url, recipients } = share
  const anyone = share.has_password
    ? t('console.shares.forAnyoneWithPassword')
    : t('console.shares.forAnyone')
  const own = recipients.flatMap(({ email, url: link }) =>
    link === null ? [] : [{ label: t('console.shares.linkFor', { address: nameText(email) }), value: link }],
  )
  showOnce({
    title: t('console.shares.created'),
    text: t('console.shares.once'),
    values: [...(url === null ? [] : [{ label: anyone, value: url }]), ...own],
    below: <Mails share={share} />,
  })
}

const WAITING_MS = 2000

function Mails({ share }: { readonly share: Linked }) {
  const { data = share } = useQuery({
    queryKey: [...SHARES, share.id],
    queryFn: () => share.get(),
    enabled: share.recipients.some(({ mail }) => mail !== null),
    refetchInterval: ({ state }) =>
      state.data?.recipients.every(({ mail }) => mail?.status !== 'queued') === true ? false : WAITING_MS,
  })
  return (
    <ul aria-live="polite">
      {data.recipients
        .filter(({ mail }) => mail !== null)
        .map(({ email, mail }) => (
          <li key={email}>
            {nameText(email) + t('common.colon')}
            {mailText(mail)}
          </li>
        ))}
    </ul>
  )
}

function openOf(what: 'accesses' | 'links', { label }: Linked, show: (close: () => void) => ReactNode): void {
  const title = t(`console.shares.${what}.title`, { label: nameText(label) })
  openDialog((close) => (
    <Dialog size="large" title={title} onClose={close}>
      {show(close)}
    </Dialog>
  ))
}

/** What can be done with a share or a room, by the name of its button. */
export const ACTIONS = {
  accesses: (share: Linked): void => openOf('accesses', share, () => <AccessLog share={share} />),
  links: (share: Linked): void =>
    openOf('links', share, (close) => <ShareLinks share={share} onMade={close} />),
  change: changeShare,
  revoke: (share: Linked): void =>
    askChange({
      texts: 'console.shares.revoke',
      args: { label: nameText(share.label) },
      isDangerous: true,
      stale: SHARES,
      run: () => share.revoke(),
    }),
} as const

/** The buttons of a share or a room. Members change it until it is revoked. */
export function actionsOf(mayChange: boolean, revokedAt: string | null) {
  return mayChange && revokedAt === null
    ? (['accesses', 'links', 'change', 'revoke'] as const)
    : (['accesses'] as const)
}

/** Changes how long a share works, its password, its limit and who is told of downloads. The links stay the same. */
function changeShare(share: Linked): void {
  const bodyOf = ({ life, password, isOpen, limit, isNotified }: Limits & Open) => {
    const wanted = limit === '' ? null : Number(limit)
    return {
      ...(life === '' ? {} : { expires_at: inDays(life) }),
      ...(wanted === share.max_downloads ? {} : { max_downloads: wanted }),
      ...(isNotified === share.notify_downloads ? {} : { notify_downloads: isNotified }),
      ...(isOpen ? { password: null } : password === '' ? {} : { password }),
    }
  }
  askChange<Linked, Limits & Open, 'console.shares'>({
    texts: 'console.shares',
    title: t('console.shares.change.title', { label: nameText(share.label) }),
    action: t('console.settings.save'),
    stale: SHARES,
    initial: {
      life: '',
      password: '',
      isOpen: false,
      limit: String(share.max_downloads ?? ''),
      isNotified: share.notify_downloads,
    },
    fields: () => [
      {
        name: 'life',
        label: t('console.shares.change.life'),
        hint: rich('console.shares.change.now', { time: <Time at={share.expires_at} /> }),
        is: 'select',
        options: [
          { value: '', label: t('console.shares.change.keep') },
          ...LIVES.map(({ value, label }) => ({
            value,
            label: t('console.shares.change.fromNow', { life: label }),
          })),
        ],
      },
      share.has_password && { name: 'isOpen', label: t('console.shares.change.noPassword'), is: 'tick' },
      ...limitFields(true),
    ],
    isReady: (values) => Object.keys(bodyOf(values)).length > 0,
    run: (values) => share.change(bodyOf(values)),
  })
}

interface Open {
  readonly life: string
  readonly isOpen: boolean
}

/** Who used a share, and when. */
function AccessLog({ share }: { readonly share: Linked }) {
  const log = useQuery({ queryKey: [...SHARES, share.id, 'accesses'], queryFn: () => share.accesses() })
  return (
    <>
      <List
        query={log}
        rows={log.data?.data ?? []}
        empty={<p className="quiet">{t('console.shares.accesses.none')}</p>}
        texts="console.shares.accesses.columns"
        columns={[
          { name: 'at', cell: ({ created_at }) => <Time at={created_at} /> },
          {
            name: 'what',
            cell: ({ kind }) => t(`console.shares.accesses.kinds.${kind}`),
            below: ({ name }) => name && nameText(name),
          },
          {
            name: 'from',
            cell: ({ address }) => address,
            below: ({ recipient }) =>
              recipient && t('console.shares.accesses.linkOf', { address: nameText(recipient) }),
          },
        ]}
      />
      {log.data !== undefined && log.data.next_cursor !== null && (
        <p className="quiet">{t('console.shares.accesses.newest')}</p>
      )}
    </>
  )
}

/** Who has a link to a share: what became of the mail, a new link for a lost one, and revoking one. */
function ShareLinks({ share: given, onMade }: { readonly share: Linked; onMade(): void }) {
  const { data: share = given } = useQuery({
    queryKey: [...SHARES, given.id],
    queryFn: () => given.get(),
  })
  const { sends_mail: sendsMail } = useMe()
  const show = (made: Linked): void => {
    onMade()
    showLinks(made)
  }
  const creating = useChange(
    SHARES,
    (recipient: string | undefined) => share.createLink(recipient === undefined ? {} : { recipient }),
    show,
  )
  const revoking = useChange(SHARES, (recipient: string) => share.revokeLink(recipient))
  const lead = t('console.shares.links.lead')
  return (
    <>
      <p className="quiet">{sendsMail ? lead : sentences([lead, t('console.shares.links.noMail')])}</p>
      {share.recipients.length > 0 && (
        <RowTable
          rows={share.recipients}
          subject={({ email }) => email}
          actions={({ email, revoked_at }) => [
            { text: t('console.shares.links.replace'), run: () => creating.mutate(email) },
            revoked_at === null && {
              text: t('console.shares.revoke.action'),
              isDangerous: true,
              run: () => revoking.mutate(email),
            },
          ]}
          texts="console.shares.columns"
          columns={[
            {
              name: 'who',
              of: 'titles',
              cell: ({ email }) => nameText(email),
              below: ({ mail, revoked_at }) =>
                revoked_at === null ? mailText(mail) : t('console.shares.statuses.revoked'),
            },
            {
              name: 'used',
              cell: ({ last_access_at: at }) => (
                <Time at={at} as="ago" never={t('console.shares.neverUsed')} />
              ),
            },
          ]}
        />
      )}
      <Problem error={creating.error ?? revoking.error} />
      <ChangeForm
        texts="console.shares"
        action={t(sendsMail ? 'console.shares.send' : 'console.shares.create', { recipients: 1 })}
        stale={SHARES}
        initial={{ to: '' }}
        fields={() => [
          {
            name: 'to',
            label: t('console.shares.links.add'),
            is: 'email',
            isRequired: true,
            maxLength: 254,
            autoComplete: 'off',
          },
        ]}
        run={({ to }) => share.createLink({ recipient: to.trim() })}
        onDone={show}
      />
      <Button look="quiet" onClick={() => creating.mutate(undefined)}>
        {t('console.shares.links.anyone')}
      </Button>
    </>
  )
}

/** A share or a room: what both have, and how each is changed. */
export interface Linked extends Pick<
  Share,
  'url' | 'recipients' | 'has_password' | 'max_downloads' | 'notify_downloads' | 'expires_at'
> {
  readonly id: string
  readonly label: string
  /** Again, from the service. */
  get(): Promise<Linked>
  change(body: ShareChange): Promise<Linked>
  createLink(body: ShareLinkRequest): Promise<Linked>
  revokeLink(recipient: string): Promise<unknown>
  revoke(): Promise<unknown>
  accesses(): Promise<ShareAccessList>
}

const NEWEST = { limit: 100 }

export function ofShare(share: ShareList['data'][number]): Linked {
  const { share_id: id } = share
  return {
    ...share,
    id,
    get: async () => ofShare(await api.getShare(id)),
    change: async (body) => ofShare(await api.changeShare(id, body)),
    createLink: async (body) => ofShare(await api.createShareLink(id, body)),
    revokeLink: (recipient) => api.revokeShareLink(id, { recipient }),
    revoke: () => api.revokeShare(id),
    accesses: () => api.listShareAccesses(id, NEWEST),
  }
}

export function ofRoom(room: RoomList['data'][number] | Room): Linked {
  const { room_id: id } = room
  return {
    ...room,
    id,
    label: room.title,
    get: async () => ofRoom(await api.getRoom(id)),
    change: async (body) => ofRoom(await api.changeRoom(id, body)),
    createLink: async (body) => ofRoom(await api.createRoomLink(id, body)),
    revokeLink: (recipient) => api.revokeRoomLink(id, { recipient }),
    revoke: () => api.revokeRoom(id),
    accesses: () => api.listRoomAccesses(id, NEWEST),
  }
}
