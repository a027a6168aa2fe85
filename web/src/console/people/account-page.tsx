import { t } from '../../core/texts.ts'
import { Card, Heading, Problem, QueryState } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Entries } from '../../parts/list.tsx'
import { Time } from '../../parts/time.tsx'
import { api } from '../client.ts'
import { askChange, ChangeForm, useChange, useLiveQuery } from '../queries.tsx'
import { NoPasskey, roleText, useMe, useSetMe, useSignOut, addPasskey } from '../session.tsx'

export default function AccountPage() {
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
  const isFixed = session.method === 'oidc'
  return (
    <Card title={t('console.account.person.title')}>
      <ChangeForm
        texts="console.account.person"
        action={t('console.settings.save')}
        done={t('console.settings.saved')}
        stale={['members']}
        initial={{ name: member.name ?? '', email: member.email }}
        fields={() => [
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
        isReady={({ name, email }) =>
          (name.trim() !== '' && name.trim() !== member.name) || email.trim().toLowerCase() !== member.email
        }
        run={({ name, email }) =>
          api.changePerson({
            ...(name.trim() !== '' && { name: name.trim() }),
            ...(email.trim() !== member.email && { email: email.trim() }),
          })
        }
        onDone={setMe}
      />
    </Card>
  )
}

function Passkeys() {
  const list = useLiveQuery(['passkeys'], api.listPasskeys)
  return (
    <Card title={t('console.account.passkeys.title')}>
      <p className="quiet">{t('console.account.passkeys.text')}</p>
      <QueryState query={list} />
      <NoPasskey isLinked={false} />
      <Entries
        rows={list.data?.passkeys}
        mark={() => <Icon name="key" size={20} />}
        text={({ label, created_at, last_used_at, backed_up }) => (
          <>
            <p className="strong">{label}</p>
            <p className="quiet">
              {t('console.account.passkeys.added')} <Time at={created_at} as="day" />
              {last_used_at !== null && `, ${t('console.account.passkeys.used')} `}
              <Time at={last_used_at} as="ago" />
              {backed_up && `, ${t('console.account.passkeys.backedUp')}`}
            </p>
          </>
        )}
        end={({ passkey_id: id, label }) => (
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
        )}
      />
      <ChangeForm
        texts="console.account.passkeys"
        text={null}
        action={t('console.account.passkeys.add')}
        // The session counts the passkeys.
        stale={[]}
        initial={{ label: '' }}
        fields={() => [{ name: 'label', maxLength: 100 }]}
        run={({ label }) => addPasskey(label)}
      />
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
      <Entries
        rows={list.data?.sessions}
        mark={() => <Icon name="system" size={20} />}
        text={({ browser, current, method, created_at, last_seen_at }) => (
          <>
            <p className="strong">
              {browser}{' '}
              {current && <span className="status info">{t('console.account.sessions.current')}</span>}
            </p>
            <p className="quiet">
              {t('console.account.sessions.signedIn', {
                method: t(`console.account.sessions.methods.${method}`),
              })}{' '}
              <Time at={created_at} />, {t('console.account.sessions.active')}{' '}
              <Time at={last_seen_at} as="ago" />
            </p>
          </>
        )}
        end={({ session_id: id, browser, current }) =>
          !current && (
            <Button
              look="quiet"
              size="small"
              subject={browser}
              className="bad"
              onClick={() => ending.mutate(id)}
            >
              {t('console.account.sessions.end')}
            </Button>
          )
        }
      />
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
