import { useEffect, useMemo, useState } from 'react'
import { isMissing } from '../../core/fetch-json.ts'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { listen } from '../../core/router.tsx'
import { useLoaded } from '../../core/use-loaded.ts'
import { Alert, Card, Heading, Loading } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { Fields, useFields } from '../../parts/fields.tsx'
import { PublicFrame } from '../../parts/frame.tsx'
import { Deadline } from '../../parts/time.tsx'
import { submitDraft } from '../../upload/send.ts'
import type { UploadTarget } from '../../upload/upload-queue.ts'
import { useUploads } from '../../upload/upload-list.tsx'
import { linkBase, LinkProblem } from '../link.tsx'
import { ItemCard, OtherFiles } from './item-card.tsx'
import { OlderKit, Outcome } from './outcome.tsx'
import {
  type Item,
  supplierApi,
  type SupplierApi,
  supplierMessageOf,
  type SupplierView,
} from './supplier-api.ts'

/** While the files are checked. */
const CHECKING_MS = 1500
/** Comments, returns and reviews of the requester, and what a colleague does with the same link. */
const POLL_MS = 8000

/** `/r/TOKEN`: a request for evidence, for a supplier without an account. */
export default function RequestPage() {
  const api = useMemo(() => supplierApi(linkBase()), [])
  const loaded = useLoaded(api.show, (shown) => (isChecking(shown) ? CHECKING_MS : POLL_MS))
  const { value: view, error, reload, put } = loaded
  // What is there stays while the service cannot be reached.
  if (view === undefined || isMissing(error)) {
    if (error !== undefined) return <LinkProblem error={error} onRetry={() => void reload()} />
    return (
      <PublicFrame isOutside title={t('request.title')}>
        <Loading />
      </PublicFrame>
    )
  }
  return <OpenRequest api={api} view={view} onView={put} />
}

const isChecking = (view: SupplierView | undefined): boolean =>
  view?.submission?.draft === false && /^(PENDING|RUNNING)$/.test(view.submission.status)

interface OpenRequestProps {
  readonly api: SupplierApi
  readonly view: SupplierView
  onView(view: SupplierView): void
}

function OpenRequest({ api, view, onView }: OpenRequestProps) {
  const { limits } = view
  const target = useMemo(
    (): UploadTarget => ({
      place: { url: api.base, headers: {} },
      isDirect: true,
      order: { limits, profile: undefined },
      open: async () => (await api.startDraft()).submission?.submission_id ?? '',
      onSent: async () => onView(await api.show()),
      errorText: supplierMessageOf,
    }),
    [api, onView, limits],
  )
  const uploads = useUploads(target)
  const [problem, setProblem] = useState<string>()
  const [isSubmitting, setIsSubmitting] = useState(false)
  const [sender, setSender] = useFields({ name: '' })
  const { submission, status } = view
  // A file that misses its drop target does not replace the page.
  useEffect(() => listen(['dragover', 'drop'], (event) => event.preventDefault()), [])

  const attempt = async (work: () => Promise<SupplierView>): Promise<void> => {
    setProblem(undefined)
    try {
      onView(await work())
    } catch (error) {
      setProblem(supplierMessageOf(error))
    }
  }
  const submit = async (damage: readonly string[] = []): Promise<void> => {
    setIsSubmitting(true)
    await attempt(async () => {
      await api.startDraft()
      const draft = await api.nameSender(sender.name)
      const id = draft.submission?.submission_id ?? ''
      await submitDraft(id, [...uploads.accepted, ...damage], target.place).sent
      scrollTo({ top: 0 })
      return api.show()
    })
    setIsSubmitting(false)
  }
  const remove = (position: number): void =>
    void attempt(async () => {
      const before = submission?.draft === true ? view : await api.startDraft()
      // A new draft has the same files, at other positions.
      const name = filesOf(view).find((file) => file.position === position)?.name
      const file = filesOf(before).find((each) => each.name === name)
      return file === undefined ? before : api.removeFile(file.position)
    })
  /** The text stays in its form if it could not be sent. */
  const write = async (work: () => Promise<SupplierView>): Promise<void> => onView(await work())

  const isOpen = (status === 'open' || status === 'submitted') && !isChecking(view)
  const isDraft = submission?.draft === true
  const card = { uploads, findings: submission?.findings ?? [], onRemove: remove }
  return (
    <PublicFrame isOutside title={view.title}>
      <Heading title={nameText(view.title)} lead={t('request.lead', { who: nameText(view.requester) })} />
      {view.message !== null && (
        <blockquote className="notice info remark-text">{nameText(view.message)}</blockquote>
      )}
      {view.due_at !== null && status === 'open' && (
        <p>
          <strong>{t('request.due')}</strong> <Deadline at={view.due_at} />
        </p>
      )}
      <Outcome view={view} base={api.base} onAccept={(codes) => void submit(codes)} />
      <Alert text={problem} />
      {isOpen && view.round === 0 && <p className="quiet">{t('request.howTo')}</p>}
      {inOrder(view.items).map((item) => (
        <ItemCard
          key={item.id}
          {...card}
          item={item}
          isChanged={isDraft && isChanged(item)}
          isOpen={isOpen}
          canComment={status === 'open' || status === 'submitted'}
          onComment={(text) => write(() => api.comment(item.id, text))}
          onNotApplicable={(reason) =>
            write(async () => {
              // After a round, the answer is one that has to be submitted.
              if (status === 'submitted') await api.startDraft()
              return api.notApplicable(item.id, reason)
            })
          }
        />
      ))}
      {(isOpen || view.other_files.length > 0) && (
        <OtherFiles
          {...card}
          files={view.other_files}
          isOpen={isOpen}
          isOther={(name) => !view.items.some(({ id }) => name.startsWith(`${id}/`))}
        />
      )}
      {isOpen && (status === 'open' || isDraft) && (
        <>
          <Card title={t('request.sender.title')}>
            <Fields
              texts="request.sender"
              values={sender}
              set={setSender}
              fields={[{ name: 'name', autoComplete: 'name', maxLength: 200 }]}
            />
          </Card>
          <SubmitBar
            view={view}
            isBusy={uploads.isBusy}
            isSubmitting={isSubmitting}
            held={uploads.held}
            onSubmit={() => void submit()}
          />
        </>
      )}
      <OlderKit view={view} base={api.base} />
    </PublicFrame>
  )
}

const isChanged = ({ files, removed_files }: Item): boolean =>
  removed_files.length > 0 || files.some(({ change }) => change !== null)

/** What came back first. */
const inOrder = (items: SupplierView['items']): SupplierView['items'] =>
  items.toSorted((a, b) => Number(b.status === 'needs_changes') - Number(a.status === 'needs_changes'))

const filesOf = (view: SupplierView) => [...view.items.flatMap(({ files }) => files), ...view.other_files]

interface SubmitBarProps {
  readonly view: SupplierView
  /** Files are being sent. */
  readonly isBusy: boolean
  readonly isSubmitting: boolean
  /** Files that were not sent. */
  readonly held: number
  onSubmit(): void
}

/** Always visible: how far it is, and Submit. Asks again if something is missing. */
function SubmitBar({ view, isBusy, isSubmitting, held, onSubmit }: SubmitBarProps) {
  const [isAsking, setIsAsking] = useState(false)
  const { items } = view.progress
  const missing = view.items.filter(
    ({ status, files, not_applicable }) =>
      status !== 'accepted' && files.length === 0 && not_applicable === null,
  )
  const answered = items - missing.length
  const files = filesOf(view).length
  const isComplete = missing.length === 0 && held === 0
  return (
    <div className="bar">
      <div>
        <span role="status">{t('request.progress', { answered, items, files })}</span>
        <progress max={Math.max(1, items)} value={answered} aria-label={t('request.progressLabel')} />
        {isAsking && !isComplete && (
          <p className="warn" role="alert">
            {missing.length > 0 && missingText(missing.map(({ title }) => title))}{' '}
            {held > 0 && t('request.held', { count: held })}
          </p>
        )}
      </div>
      <Button
        look="main"
        icon="check"
        disabled={files === 0 || isBusy}
        isBusy={isSubmitting}
        onClick={() => (isComplete || isAsking ? onSubmit() : setIsAsking(true))}
      >
        {isAsking && !isComplete ? t('request.submitAnyway') : t('request.submit')}
      </Button>
    </div>
  )
}

/** A few are named, more are counted. */
const missingText = (titles: readonly string[]): string =>
  titles.length > 3 ? t('request.missing', { count: titles.length }) : t('request.missingNames', { titles })
