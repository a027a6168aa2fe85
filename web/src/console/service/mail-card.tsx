import type { ServicePage, ServiceStatus } from '@kitseal/client/console'
import { Button } from '@mantine/core'
import { Card, Facts, Notice } from '../../parts/blocks.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { Problem } from '../problem.tsx'
import { useMe } from '../session.tsx'
import { useChange } from '../use-change.ts'
import { SERVICE } from './operators-only.tsx'

export interface MailCardProps {
  readonly mail: ServiceStatus['mail']
  /** The newest test of this operator. */
  readonly test: ServicePage['test_mail']
}

const TONES = { queued: 'info', sent: 'pass', failed: 'fail' } as const

export function MailCard({ mail, test }: MailCardProps) {
  const { email } = useMe().member
  const testing = useChange(SERVICE, () => api.sendTestMail())
  if (!mail.is_on)
    return (
      <Card title={t('console.service.mail.title')}>
        <p>{t('console.service.mail.off')}</p>
      </Card>
    )
  return (
    <Card title={t('console.service.mail.title')}>
      <Facts
        facts={[
          { name: t('console.service.mail.waiting'), value: mail.waiting },
          {
            name: t('console.service.mail.sent'),
            value:
              mail.last_sent_at === null ? (
                t('console.service.storage.never')
              ) : (
                <Time at={mail.last_sent_at} />
              ),
          },
          {
            name: t('console.service.mail.failed'),
            value:
              mail.last_failed_at === null ? (
                t('console.service.queue.none')
              ) : (
                <>
                  <Time at={mail.last_failed_at} />
                  <span className="below">{mail.last_problem}</span>
                </>
              ),
          },
        ]}
      />
      {testing.error !== null && <Problem error={testing.error} />}
      {test !== null && (
        <Notice tone={TONES[test.status]}>
          <p role="status">{t(`console.service.mail.tests.${test.status}`, { email })}</p>
          {test.reason !== null && <p>{test.reason}</p>}
        </Notice>
      )}
      <Button variant="default" loading={testing.isPending} onClick={() => testing.mutate()}>
        {t('console.service.mail.test')}
      </Button>
    </Card>
  )
}
