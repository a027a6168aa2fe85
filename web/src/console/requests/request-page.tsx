import type { EvidenceRequest } from '@kitseal/client'
import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { BackLink, Card, Facts, Heading, Notice } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { nameText } from '../../core/readable.ts'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { PossibleSecrets } from '../../parts/finding-list.tsx'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'
import { NewSecret } from '../keys/new-secret.tsx'
import { useLiveQuery } from '../live-query.tsx'
import { NotFound } from '../not-found.tsx'
import { isMissing, Problem, QueryState } from '../problem.tsx'
import { useAllowed, useMe } from '../session.tsx'
import { useSubmission } from '../submission/use-submission.ts'
import { useChange } from '../use-change.ts'
import '../../styles/request.css'
import '../../styles/requests.css'
import { DueDate } from './due-date.tsx'
import { forgetLink, keptLink, REQUESTS } from './new-link.ts'
import { ReceivedFiles, useKitFiles } from './received-files.tsx'
import { RequestItem } from './request-item.tsx'
import { RequestStatus } from './request-status.tsx'
import { ProgressOf } from './requests-page.tsx'

/** One request: its items with files and comments, and what the requester can do. */
export function RequestPage({ id }: { readonly id: string }) {
  const query = useLiveQuery(
    [...REQUESTS, id],
    (options) => api.getRequest(id, options),
    ({ mails }) => mails.some(isQueued) && MAIL_POLL_MS,
  )
  const { data: request } = query
  const { sends_mail: sendsMail } = useMe()
  const [link, setLink] = useState<string | undefined>(keptLink(id))
  const served = useKitFiles(request?.kit_id ?? null)
  if (isMissing(query.error)) return <NotFound />
  if (request === undefined) return <QueryState query={query} />
  return (
    <>
      <BackLink href="/console/requests">{t('console.requests.all')}</BackLink>
      <Heading
        title={nameText(request.title)}
        lead={
          request.message === null ? undefined : (
            <span className="item-text">{nameText(request.message)}</span>
          )
        }
        actions={<RequestStatus status={request.status} />}
      />
      {link !== undefined && (
        <NewSecret
          secret={{
            title: t('console.requests.link.title'),
            text: t('console.requests.link.text'),
            value: link,
            what: t('console.requests.link.what'),
          }}
          onDone={() => {
            forgetLink(id)
            setLink(undefined)
          }}
        />
      )}
      {request.kit_id !== null && <SecretsIn submissionId={kitSubmission(request)} />}
      <Actions request={request} onLink={setLink} />
      {!sendsMail && request.status !== 'closed' && (
        <Notice tone="info">{t('console.requests.mails.off')}</Notice>
      )}
      <Card>
        <Facts facts={factsOf(request)} />
      </Card>
      {request.items.map((item) => (
        <RequestItem key={item.id} request={request} item={item} served={served} />
      ))}
      {request.other_files.length > 0 && (
        <Card title={t('console.requests.otherFiles')}>
          <ReceivedFiles files={request.other_files} skip={0} served={served} />
        </Card>
      )}
    </>
  )
}

function SecretsIn({ submissionId }: { readonly submissionId: string }) {
  const { data } = useSubmission(submissionId)
  return <PossibleSecrets findings={data?.submission.findings ?? []} />
}

function factsOf(request: EvidenceRequest) {
  return [
    { name: t('console.requests.facts.due'), value: <DueDate {...request} isLong /> },
    { name: t('console.requests.facts.progress'), value: <ProgressOf request={request} /> },
    {
      name: t('console.requests.facts.round'),
      value: t('console.requests.roundText', { round: request.round }),
    },
    ...senderFacts(request),
    ...(request.mails.length === 0
      ? []
      : [{ name: t('console.requests.facts.recipients'), value: <Recipients mails={request.mails} /> }]),
  ]
}

/** Who submitted the newest kit. */
function senderFacts({ rounds, kit_id }: EvidenceRequest) {
  const sender = rounds.findLast((round) => round.kit_id === kit_id)?.sender ?? null
  if (kit_id === null || sender === null) return []
  return [
    {
      name: t('console.requests.sender.title'),
      value: t('console.requests.sender.name', { name: nameText(sender.name) }),
    },
  ]
}

const MAIL_POLL_MS = 3000

/** No event says that a mail was sent. */
const isQueued = ({ request, reminder }: EvidenceRequest['mails'][number]): boolean =>
  (reminder ?? request)?.status === 'queued'

/** What became of the last mail to each. */
function Recipients({ mails }: Pick<EvidenceRequest, 'mails'>) {
  return (
    <ul>
      {mails.map(({ to, request, reminder }) => {
        const mail = reminder ?? request
        const what =
          reminder === null ? t('console.requests.mails.request') : t('console.requests.mails.reminder')
        const state =
          mail === null
            ? t('console.requests.mails.none')
            : t(`console.requests.mails.${mail.status}`, { what })
        const reason = mail?.reason == null ? '' : ` ${nameText(mail.reason)}`
        return (
          <li key={to} className={mail?.status === 'failed' ? 'bad' : ''}>
            {nameText(to) + t('common.colon')}
            {state}
            {reason}
          </li>
        )
      })}
    </ul>
  )
}

interface ActionsProps {
  readonly request: EvidenceRequest
  onLink(url: string): void
}

type Asking = 'close' | 'revoke' | 'replace'

function Actions({ request, onLink }: ActionsProps) {
  const { is: mayChange } = useAllowed('requests')
  const [asking, setAsking] = useState<Asking>()
  const { evidence_request_id: id } = request
  const linking = useChange(
    REQUESTS,
    () => api.createRequestLink(id),
    ({ url }) => onLink(url),
  )
  const reminding = useChange(REQUESTS, () => api.remindSupplier(id))
  const canRemind = useMe().sends_mail && request.recipients.length > 0
  const accepting = useChange(REQUESTS, () => api.acceptRequest(id))
  const isOpen = request.status !== 'closed'
  const left = request.items.filter((item) => item.status !== 'accepted' && item.status !== 'not_applicable')
  const { kit_id, submission_id, status } = request
  return (
    <>
      <div className="row request-actions">
        {mayChange && isOpen && request.items.some(isReady) && (
          <Button
            leftSection={<Icon name="check" />}
            loading={accepting.isPending}
            onClick={() => accepting.mutate()}
          >
            {t('console.requests.actions.acceptAll')}
          </Button>
        )}
        {kit_id !== null && (
          <Button
            component="a"
            href={`/v1/submissions/${kitSubmission(request)}/deliverables/kit.zip`}
            download
            variant={status === 'accepted' || status === 'closed' ? 'filled' : 'default'}
            leftSection={<Icon name="download" />}
          >
            {t('console.requests.actions.kit')}
          </Button>
        )}
        {mayChange && isOpen && status !== 'accepted' && (
          <Button
            variant={status === 'open' ? 'filled' : 'default'}
            leftSection={<Icon name={canRemind ? 'clock' : 'copy'} />}
            loading={linking.isPending || reminding.isPending}
            onClick={() => (canRemind ? reminding.mutate() : linking.mutate())}
          >
            {canRemind ? t('console.requests.actions.remind') : t('console.requests.actions.link')}
          </Button>
        )}
        {mayChange && (
          <Button
            variant="default"
            leftSection={<Icon name="copy" />}
            onClick={() => navigate(`/console/requests/new?copy=${id}`)}
          >
            {t('console.requests.actions.copy')}
          </Button>
        )}
        {(submission_id !== null || (mayChange && isOpen)) && (
          <Menu position="bottom-end" withInitialFocusPlaceholder={false} transitionProps={{ duration: 80 }}>
            <Menu.Target>
              <Button
                variant="default"
                rightSection={<Icon name="chevron" size={14} className="icon turned" />}
              >
                {t('console.requests.actions.more')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {submission_id !== null && (
                <Menu.Item onClick={() => navigate(`/console/submissions/${submission_id}`)}>
                  {t('console.requests.actions.submission')}
                </Menu.Item>
              )}
              {mayChange && isOpen && (
                <>
                  {canRemind && (
                    <Menu.Item onClick={() => linking.mutate()}>
                      {t('console.requests.actions.link')}
                    </Menu.Item>
                  )}
                  <Menu.Item onClick={() => setAsking('replace')}>
                    {t('console.requests.actions.replace')}
                  </Menu.Item>
                  <Menu.Divider />
                  <Menu.Item className="danger" onClick={() => setAsking('revoke')}>
                    {t('console.requests.actions.revoke')}
                  </Menu.Item>
                  <Menu.Item className="danger" onClick={() => setAsking('close')}>
                    {t('console.requests.actions.close')}
                  </Menu.Item>
                </>
              )}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {[linking, reminding].map(
        ({ error }, index) => error !== null && <Problem key={index} error={error} />,
      )}
      {accepting.error !== null && <Problem error={accepting.error} />}
      {accepting.data !== undefined && left.length > 0 && (
        <Notice tone="warn">
          {t('console.requests.left', { titles: left.map(({ title }) => nameText(title)) })}
        </Notice>
      )}
      {asking !== undefined && (
        <ConfirmDialog
          title={t(`console.requests.${asking}.title`)}
          text={t(`console.requests.${asking}.text`)}
          action={t(`console.requests.${asking}.action`)}
          stale={REQUESTS}
          run={async () => {
            if (asking === 'close') await api.closeRequest(id)
            else if (asking === 'revoke') await api.revokeRequestLinks(id)
            else onLink((await api.createRequestLink(id, { replace: true })).url)
          }}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  )
}

const isReady = ({ status, files }: EvidenceRequest['items'][number]): boolean =>
  status === 'to_review' && files.length > 0

/** The submission of the newest kit. */
const kitSubmission = ({ rounds, kit_id }: EvidenceRequest): string =>
  rounds.findLast((round) => round.kit_id === kit_id)?.submission_id ?? ''
