import { t } from '../../core/texts.ts'
import { Card, Heading, Problem, QueryState } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { Fields, Form, useFields } from '../../parts/fields.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Time } from '../../parts/time.tsx'
import { api } from '../client.ts'
import { askChange, useChange, useLiveQuery } from '../queries.tsx'
import { NoPasskey, roleText, useMe, useSetMe, useSignOut } from '../session.tsx'
import { addPasskey } from '../sign-in/passkeys.ts'

export function AccountPage() {
  const { member } = useMe()
  return (
    <>
      <Heading title={t('console.titles.account')} lead={`${member.email}, ${roleText(member.role)}`} />
      <PersonCard />
      <Passkeys />
      <Sessions />
    </>
  )
}

/** The member's own name and address. */
function PersonCard() {
  const { member, session } = useMe()
  const setMe = useSetMe()
  const [values, set] = useFields({ name: member.name ?? '', email: member.email })
  const [name, email] = [values.name.trim(), values.email.trim()]
  const isFixed = session.method === 'oidc'
  const saving = useChange(
    ['members'],
    () =>
      api.changePerson({ ...(name === '' ? {} : { name }), ...(email === member.email ? {} : { email }) }),
    setMe,
  )
  const isChanged = (name !== '' && name !== member.name) || email.toLowerCase() !== member.email
  return (
    <Card title={t('console.account.person.title')}>
      <Form className="fields" onSubmit={() => saving.mutate()}>
        <Fields
          texts="console.account.person"
          values={values}
          set={set}
          fields={[
            { name: 'name', maxLength: 100, autoComplete: 'name' },
            {
              name: 'email',
              hint: isFixed ? t('console.account.person.fixed') : t('console.account.person.emailHint'),
              is: 'email',
              isRequired: true,
              maxLength: 254,
              autoComplete: 'email',
              isDisabled: isFixed,
            },
          ]}
        />
        <Problem error={saving.error} />
        <div className="row">
          <Button type="submit" look="main" isBusy={saving.isPending} disabled={!isChanged}>
            {t('console.settings.save')}
          </Button>
          <span className="quiet" role="status">
            {saving.isSuccess && !isChanged ? t('console.settings.saved') : ''}
          </span>
        </div>
      </Form>
    </Card>
  )
}

function Passkeys() {
  const list = useLiveQuery(['passkeys'], api.listPasskeys)
  const [values, set] = useFields({ label: '' })
  // The session counts the passkeys.
  const adding = useChange(
    [],
    () => addPasskey(values.label),
    () => set({ label: '' }),
  )
  return (
    <Card title={t('console.account.passkeys.title')}>
      <p className="quiet">{t('console.account.passkeys.text')}</p>
      <QueryState query={list} />
      <NoPasskey isLinked={false} />
      <ul className="entries lines">
        {list.data?.passkeys.map(({ passkey_id: id, label, created_at, last_used_at, backed_up }) => (
          <li key={id}>
            <Icon name="key" size={20} />
            <div>
              <p className="strong">{label}</p>
              <p className="quiet">
                {t('console.account.passkeys.added')} <Time at={created_at} as="day" />
                {last_used_at !== null && (
                  <>
                    , {t('console.account.passkeys.used')} <Time at={last_used_at} as="ago" />
                  </>
                )}
                {backed_up ? `, ${t('console.account.passkeys.backedUp')}` : ''}
              </p>
            </div>
            <Button
              look="quiet"
              size="small"
              subject={label}
              className="bad"
              onClick={() =>
                askChange({
                  texts: 'console.account.passkeys.remove',
                  args: { label },
                  isDangerous: true,
                  stale: [],
                  run: () => api.removePasskey(id),
                })
              }
            >
              {t('console.account.passkeys.remove.action')}
            </Button>
          </li>
        ))}
      </ul>
      <Form className="beside" onSubmit={() => adding.mutate()}>
        <Fields
          texts="console.account.passkeys"
          values={values}
          set={set}
          fields={[{ name: 'label', maxLength: 100 }]}
        />
        <Button type="submit" look="main" isBusy={adding.isPending} icon="plus">
          {t('console.account.passkeys.add')}
        </Button>
      </Form>
      <Problem error={adding.error} />
    </Card>
  )
}

const SESSIONS = ['sessions']

function Sessions() {
  const signOut = useSignOut()
  const list = useLiveQuery(SESSIONS, api.listSessions)
  const ending = useChange(SESSIONS, (id: string) => api.endSession(id))
  const endingOthers = useChange(SESSIONS, () => api.endOtherSessions())
  return (
    <Card title={t('console.account.sessions.title')}>
      <p className="quiet">{t('console.account.sessions.text')}</p>
      <QueryState query={list} />
      <Problem error={ending.error ?? endingOthers.error} />
      <ul className="entries lines">
        {list.data?.sessions.map((one) => (
          <li key={one.session_id}>
            <Icon name="system" size={20} />
            <div>
              <p className="strong">
                {one.browser}
                {one.current && <span className="status info">{t('console.account.sessions.current')}</span>}
              </p>
              <p className="quiet">
                {t('console.account.sessions.signedIn', {
                  method: t(`console.account.sessions.methods.${one.method}`),
                })}{' '}
                <Time at={one.created_at} />, {t('console.account.sessions.active')}{' '}
                <Time at={one.last_seen_at} as="ago" />
              </p>
            </div>
            {!one.current && (
              <Button
                look="quiet"
                size="small"
                subject={one.browser}
                className="bad"
                onClick={() => ending.mutate(one.session_id)}
              >
                {t('console.account.sessions.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div className="row">
        <Button icon="out" onClick={() => void signOut()}>
          {t('console.signOut')}
        </Button>
        {list.data?.sessions.some(({ current }) => !current) === true && (
          <Button isBusy={endingOthers.isPending} onClick={() => endingOthers.mutate()}>
            {t('console.account.sessions.endOthers')}
          </Button>
        )}
      </div>
    </Card>
  )
}
