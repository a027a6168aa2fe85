import type { EvidenceRequest, Operations } from '@kitseal/client'
import { nameText } from '../../core/readable.ts'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { BackLink, Card, Facts, Heading, Notice, Problem, QueryState } from '../../parts/blocks.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Menu, NotFound } from '../blocks.tsx'
import { PossibleSecrets } from '../../parts/finding-list.tsx'
import { Files } from '../../parts/files.tsx'
import { ItemHead, itemNotes, itemRemarks } from '../../parts/request-item.tsx'
import type { ReviewBarProps } from '../../parts/review-bar.tsx'
import { Status } from '../../parts/status.tsx'
import { api } from '../client.ts'
import { isUndecided, type ItemFile, ItemView, writingActions, OlderRemarks } from '../items/item-card.tsx'
import { isMissing } from '../../core/fetch-json.ts'
import { askChange, changing, useChange, useLiveQuery } from '../queries.tsx'
import { useAllowed, useMe } from '../session.tsx'
import { kitFileUrl, useKit } from '../submission/kit-view.tsx'
import { useSubmission } from '../submission/use-submission.ts'
import { REQUESTS, showRequestLink, DueDate, RequestProgress } from './requests-page.tsx'

type Item = EvidenceRequest['items'][number]

/** One request: its items with files and comments, and what the requester can do. */
export default function RequestPage({ id }: { readonly id: string }) {
  const query = useLiveQuery(
    [...REQUESTS, id],
    (options) => api.getRequest(id, options),
    ({ mails }) => mails.some(isQueued) && MAIL_POLL_MS,
  )
  const { data: request } = query
  const { sends_mail: sendsMail } = useMe()
  const filesOf = useReceivedFiles(request?.kit_id ?? null)
  if (isMissing(query.error)) return <NotFound />
  if (request === undefined) return <QueryState query={query} />
  return (
    <>
      <BackLink href="/console/requests">{t('console.requests.all')}</BackLink>
      <Heading
        title={nameText(request.title)}
        lead={request.message === null ? undefined : nameText(request.message)}
        actions={<Status of="request" is={request.status} texts="console.requests.statuses" />}
      />
      {request.kit_id !== null && <SecretsIn submissionId={kitSubmission(request)} />}
      <Actions request={request} />
      {!sendsMail && request.status !== 'closed' && (
        <Notice tone="info">{t('console.requests.mails.off')}</Notice>
      )}
      <Card>
        <RequestFacts request={request} />
      </Card>
      {request.items.map((item) => (
        <RequestItem key={item.id} request={request} item={item} files={filesOf(item.files, item.id)} />
      ))}
      {request.other_files.length > 0 && (
        <Card title={t('console.requests.otherFiles')}>
          <Files files={filesOf(request.other_files)} />
        </Card>
      )}
    </>
  )
}

function SecretsIn({ submissionId }: { readonly submissionId: string }) {
  const { data } = useSubmission(submissionId)
  return <PossibleSecrets findings={data?.submission.findings ?? []} />
}

/** Files that are in the newest kit with the same content have a preview. The others are in the supplier's draft. */
function useReceivedFiles(kitId: string | null) {
  const { data: kit } = useKit(kitId)
  const paths = new Map(kit?.files.map(({ path, sha256 }) => [path, sha256]))
  return (files: EvidenceRequest['other_files'], itemId?: string): readonly ItemFile[] =>
    files.map(({ name, sha256, size_bytes, change }) => {
      const path = `data/${name}`
      return {
        name: itemId === undefined ? name : name.slice(itemId.length + 1),
        sizeBytes: size_bytes,
        url: kitId !== null && paths.get(path) === sha256 ? kitFileUrl(kitId, path) : undefined,
        note: change === null ? undefined : t(`request.changes.${change}`),
      }
    })
}

function RequestFacts({ request }: { readonly request: EvidenceRequest }) {
  const { rounds, kit_id, mails, round } = request
  // Who submitted the newest kit.
  const sender = kit_id === null ? null : rounds.findLast((one) => one.kit_id === kit_id)?.sender
  return (
    <Facts
      texts="console.requests.facts"
      facts={{
        due: <DueDate {...request} isLong />,
        progress: <RequestProgress {...request} />,
        round: t('console.requests.roundText', { round }),
        sender: sender != null && t('console.requests.sender.name', { name: nameText(sender.name) }),
        recipients: mails.length > 0 && <Recipients mails={mails} />,
      }}
    />
  )
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
        return (
          <li key={to} className={mail?.status === 'failed' ? 'bad' : ''}>
            {nameText(to) + t('common.colon')}
            {mail === null
              ? t('console.requests.mails.none')
              : t(`console.requests.mails.${mail.status}`, { what })}
            {mail?.reason == null ? '' : ` ${nameText(mail.reason)}`}
          </li>
        )
      })}
    </ul>
  )
}

function Actions({ request }: { readonly request: EvidenceRequest }) {
  const { evidence_request_id: id, kit_id, submission_id, status, recipients, items } = request
  const { is: mayChange } = useAllowed('requests')
  const linking = useChange(
    REQUESTS,
    () => api.createRequestLink(id),
    ({ url }) => showRequestLink(url),
  )
  const reminding = useChange(REQUESTS, () => api.remindSupplier(id))
  const accepting = useChange(REQUESTS, () => api.acceptRequest(id))
  const canRemind = useMe().sends_mail && recipients.length > 0
  const canChange = mayChange && status !== 'closed'
  const left = items.filter((item) => isUndecided(item.status))
  const confirm = (what: 'close' | 'revoke' | 'replace'): void =>
    askChange({
      texts: `console.requests.${what}`,
      isDangerous: true,
      stale: REQUESTS,
      run: async () => {
        if (what === 'close') await api.closeRequest(id)
        else if (what === 'revoke') await api.revokeRequestLinks(id)
        else return (await api.createRequestLink(id, { replace: true })).url
        return undefined
      },
      onDone: (url) => url !== undefined && showRequestLink(url),
    })
  return (
    <>
      <div className="row">
        {canChange && items.some((item) => item.status === 'to_review' && item.files.length > 0) && (
          <Button look="main" icon="check" isBusy={accepting.isPending} onClick={() => accepting.mutate()}>
            {t('console.requests.actions.acceptAll')}
          </Button>
        )}
        {kit_id !== null && (
          <LinkButton
            href={`/v1/submissions/${kitSubmission(request)}/deliverables/kit.zip`}
            download
            icon="download"
            look={status === 'accepted' || status === 'closed' ? 'main' : 'plain'}
          >
            {t('console.requests.actions.kit')}
          </LinkButton>
        )}
        {canChange && status !== 'accepted' && (
          <Button
            look={status === 'open' ? 'main' : 'plain'}
            icon={canRemind ? 'clock' : 'copy'}
            isBusy={linking.isPending || reminding.isPending}
            onClick={() => (canRemind ? reminding.mutate() : linking.mutate())}
          >
            {canRemind ? t('console.requests.actions.remind') : t('console.requests.actions.link')}
          </Button>
        )}
        {mayChange && (
          <Button icon="copy" onClick={() => navigate(`/console/requests/new?copy=${id}`)}>
            {t('console.requests.actions.copy')}
          </Button>
        )}
        <Menu
          label={t('console.requests.actions.more')}
          items={[
            submission_id !== null && {
              text: t('console.requests.actions.submission'),
              run: () => navigate(`/console/submissions/${submission_id}`),
            },
            canChange &&
              canRemind && { text: t('console.requests.actions.link'), run: () => linking.mutate() },
            ...(['replace', 'revoke', 'close'] as const).map(
              (what) =>
                canChange && {
                  text: t(`console.requests.actions.${what}`),
                  isDangerous: what !== 'replace',
                  run: () => confirm(what),
                },
            ),
          ]}
        >
          {t('console.requests.actions.more')}
        </Menu>
      </div>
      <Problem error={linking.error ?? reminding.error ?? accepting.error} />
      {accepting.data !== undefined && left.length > 0 && (
        <Notice tone="warn">
          {t('console.requests.left', { titles: left.map(({ title }) => nameText(title)) })}
        </Notice>
      )}
    </>
  )
}

/** The submission of the newest kit. */
const kitSubmission = ({ rounds, kit_id }: EvidenceRequest): string =>
  rounds.findLast((round) => round.kit_id === kit_id)?.submission_id ?? ''

interface RequestItemProps {
  readonly request: EvidenceRequest
  readonly item: Item
  readonly files: readonly ItemFile[]
}

const OF_SUPPLIER: ReadonlySet<Item['status']> = new Set(['missing', 'collected', 'needs_changes'])

/** One item: its files and comments; accept it, or send it back. */
function RequestItem({ request, item, files }: RequestItemProps) {
  const { is: mayReview } = useAllowed('requests')
  const sides = { requester: t('console.items.workspace'), supplier: t('console.requests.by.supplier') }
  const { id, title, status } = item
  return (
    <section className="card item-card stack" aria-label={title} data-item={status}>
      <ItemHead item={item} status={t(`console.items.statuses.${status}`)} isDue={OF_SUPPLIER.has(status)} />
      <ItemView
        description={item.description}
        files={files}
        notes={itemNotes(item, sides)}
        remarks={itemRemarks(item, sides, 'requester')}
        older={
          request.older_comments > 0 && (
            <OlderRemarks
              itemId={id}
              shown={item.comments.length}
              list={(page) => api.listRequestComments(request.evidence_request_id, page)}
            />
          )
        }
        review={mayReview && request.status !== 'closed' ? reviewOf(request, item) : undefined}
      />
    </section>
  )
}

const REOPENED: ReadonlySet<Item['status']> = new Set(['missing', 'to_review', 'accepted', 'not_applicable'])

/** Accepting needs a submitted file, or the supplier's reason why there is none. */
function acceptable({ status, files, not_applicable }: Item): 'accepted' | 'not_applicable' | undefined {
  if (status !== 'to_review' && status !== 'needs_changes') return undefined
  if (files.length > 0) return 'accepted'
  return not_applicable === null ? undefined : 'not_applicable'
}

function reviewOf(request: EvidenceRequest, item: Item): ReviewBarProps {
  const { title, status } = item
  const accepting = acceptable(item)
  const review = (body: Operations['reviewItem']['body']) =>
    changing(REQUESTS, api.reviewItem(request.evidence_request_id, item.id, body))
  return {
    subject: title,
    actions: [
      accepting !== undefined && {
        text: accepting === 'accepted' ? t('console.items.accept') : t('console.requests.acceptReason'),
        icon: 'check',
        look: status === 'to_review' ? 'main' : 'plain',
        run: () => review({ status: accepting }),
      },
      item.can_undo && {
        text: t('console.items.undo'),
        run: () => review({ status: 'to_review' }),
      },
      REOPENED.has(status) &&
        request.kit_id !== null && {
          text: t('console.items.needsChanges'),
          write: {
            hint: t('console.requests.writing.needs_changes.hint'),
            send: t('console.requests.writing.needs_changes.send'),
            isOptional: true,
          },
          run: (text) => review({ status: 'needs_changes', ...(text === '' ? {} : { comment: text }) }),
        },
      ...writingActions(
        {
          notApplicable: isUndecided(status) && t('console.requests.writing.not_applicable.hint'),
          comment: t('console.requests.writing.comment.hint'),
        },
        review,
      ),
    ],
    focusAfter: (bar) => nextToReview(bar.closest('section'))?.querySelector<HTMLElement>('[data-review]'),
  }
}

/** The next item with files that nobody has looked at, otherwise the next one. */
function nextToReview(card: Element | null): Element | null {
  const all = [...(card?.parentElement?.querySelectorAll('section[data-item]') ?? [])]
  const rest = card === null ? [] : all.slice(all.indexOf(card) + 1)
  return rest.find((one) => one.getAttribute('data-item') === 'to_review') ?? rest[0] ?? card
}
