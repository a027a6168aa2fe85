import { Button } from '@mantine/core'
import { Card } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { useLiveQuery } from '../live-query.tsx'
import { RowButton } from '../row-button.tsx'
import { Loading, Problem } from '../problem.tsx'
import { useSignOut } from '../session.tsx'
import { useChange } from '../use-change.ts'

const SESSIONS = ['sessions'] as const

export function Sessions() {
  const signOut = useSignOut()
  const list = useLiveQuery(SESSIONS, api.listSessions)
  const ending = useChange(SESSIONS, (id: string) => api.endSession(id))
  const endingOthers = useChange(SESSIONS, () => api.endOtherSessions())
  const error = list.error ?? ending.error ?? endingOthers.error
  const hasOthers = list.data?.sessions.some(({ current }) => !current) === true
  return (
    <Card title={t('console.account.sessions.title')}>
      <p className="quiet">{t('console.account.sessions.text')}</p>
      {error !== null && <Problem error={error} />}
      {list.isPending && <Loading />}
      <ul className="plain-list">
        {list.data?.sessions.map((one) => (
          <li key={one.session_id}>
            <Icon name="system" size={20} />
            <div>
              <p className="strong">
                {one.browser}
                {one.current && (
                  <span className="badge current">{t('console.account.sessions.current')}</span>
                )}
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
              <RowButton
                text={t('console.account.sessions.end')}
                subject={one.browser}
                onClick={() => ending.mutate(one.session_id)}
              />
            )}
          </li>
        ))}
      </ul>
      <div className="row">
        <Button variant="default" leftSection={<Icon name="out" />} onClick={() => void signOut()}>
          {t('console.signOut')}
        </Button>
        {hasOthers && (
          <Button variant="default" loading={endingOthers.isPending} onClick={() => endingOthers.mutate()}>
            {t('console.account.sessions.endOthers')}
          </Button>
        )}
      </div>
    </Card>
  )
}
