import { useCallback, useEffect, useMemo, useState } from 'react'
import { ApiError } from '@kitseal/client'
import { isBlocking } from '../../core/findings.ts'
import { chosenFiles } from '../../upload/chosen-files.ts'
import { submitDraft } from '../../upload/upload.ts'
import { linkBase } from '../link-base.ts'
import { LinkProblem } from '../link-problem.tsx'
import { Deadline } from '../../parts/time.tsx'
import { PublicFrame } from '../../parts/frame.tsx'
import { Alert, Heading } from '../../parts/blocks.tsx'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import '../../styles/request.css'
import { ItemCard } from './item-card.tsx'
import { ItemDrop } from './item-drop.tsx'
import { ItemFiles } from './item-files.tsx'
import { OlderKit, Outcome } from './outcome.tsx'
import { SenderCard } from './sender-card.tsx'
import { SubmitBar } from './submit-bar.tsx'
import {
  type Item,
  supplierApi,
  type SupplierApi,
  type SupplierView,
  supplierMessageOf,
} from './supplier-api.ts'
import { useItemUploads } from './use-item-uploads.ts'

/** `/r/TOKEN`: a request for evidence, for a supplier without an account. */
export function RequestPage() {
  const api = useMemo(() => supplierApi(linkBase()), [])
  const [view, setView] = useState<SupplierView>()
  const [problem, setProblem] = useState<ApiError>()
  const load = useCallback(() => {
    api.show().then(setView, (error: unknown) => {
      if (error instanceof ApiError) setProblem(error)
    })
  }, [api])
  useEffect(load, [load])
  if (problem !== undefined && (view === undefined || problem.status === 404))
    return <LinkProblem error={problem} />
  if (view === undefined)
    return (
      <PublicFrame isOutside title={t('request.title')}>
        <p className="quiet loading" role="status">
          {t('common.loading')}…
        </p>
      </PublicFrame>
    )
  return <OpenRequest api={api} view={view} onView={setView} onReload={load} />
}

interface OpenRequestProps {
  readonly api: SupplierApi
  readonly view: SupplierView
  onView(view: SupplierView): void
  onReload(): void
}

const POLL_MS = 1500

function OpenRequest({ api, view, onView, onReload }: OpenRequestProps) {
  const target = useMemo(
    () => ({
      place: { url: api.base, headers: {} },
      open: async () => (await api.startDraft()).submission?.submission_id ?? '',
      onSent: async () => onView(await api.show()),
    }),
    [api, onView],
  )
  const uploads = useItemUploads(target, view.limits)
  const [problem, setProblem] = useState<string>()
  const [isSubmitting, setIsSubmitting] = useState(false)
  const { submission, status } = view
  const [sender, setSender] = useState('')
  const isChecking =
    submission !== null &&
    !submission.draft &&
    (submission.status === 'PENDING' || submission.status === 'RUNNING')
  useEffect(() => {
    if (!isChecking) return undefined
    const timer = setInterval(onReload, POLL_MS)
    return () => clearInterval(timer)
  }, [isChecking, onReload])
  // Comments and reviews of the requester appear when the supplier comes back to the page.
  useEffect(() => {
    addEventListener('focus', onReload)
    return () => removeEventListener('focus', onReload)
  }, [onReload])
  usePreventedDrops()

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
      const draft = await api.nameSender(sender)
      const place = { url: api.base, headers: {} }
      const accepted = [...new Set([...uploads.accepted, ...damage])]
      await submitDraft(draft.submission?.submission_id ?? '', accepted, place).sent
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

  const isOpen = (status === 'open' || status === 'submitted') && !isChecking
  const isDraft = submission?.draft === true
  const blocking = submission?.findings.filter(isBlocking) ?? []
  const held = uploads.outgoing.filter(({ state }) => state.is === 'blocked' || state.is === 'failed').length
  const isOther = (name: string): boolean => !view.items.some(({ id }) => name.startsWith(`${id}/`))
  const others = uploads.outgoing.filter(({ chosen }) => isOther(chosen.name))
  return (
    <PublicFrame isOutside title={view.title}>
      <Heading title={nameText(view.title)} lead={t('request.lead', { who: nameText(view.requester) })} />
      {view.message !== null && (
        <blockquote className="outside-note item-text">{nameText(view.message)}</blockquote>
      )}
      {view.due_at !== null && status === 'open' && (
        <p className="request-due">
          <strong>{t('request.due')}</strong> <Deadline at={view.due_at} />
        </p>
      )}
      <Outcome view={view} base={api.base} onAccept={(codes) => void submit(codes)} />
      <Alert text={problem} />
      {isOpen && view.round === 0 && <p className="quiet how-to">{t('request.howTo')}</p>}
      {inOrder(view.items).map((item) => (
        <ItemCard
          key={item.id}
          item={item}
          isChanged={isDraft && isChanged(item)}
          uploads={uploads}
          blocking={blocking}
          isOpen={isOpen}
          canComment={status === 'open' || status === 'submitted'}
          onRemove={remove}
          onComment={(text) => attempt(() => api.comment(item.id, text))}
          onNotApplicable={(reason) =>
            attempt(async () => {
              // After a round, the answer is one that has to be submitted.
              if (status === 'submitted') await api.startDraft()
              return api.notApplicable(item.id, reason)
            })
          }
        />
      ))}
      {(isOpen || view.other_files.length > 0) && (
        <section className="card item-card" tabIndex={-1} aria-label={t('request.other')}>
          <h2>{t('request.other')}</h2>
          <ItemFiles
            files={view.other_files}
            outgoing={others}
            uploads={uploads}
            blocking={blocking}
            skip={0}
            onRemove={isOpen ? remove : undefined}
          />
          {isOpen && (
            <ItemDrop
              label={t('request.other')}
              isFirst={view.other_files.length + others.length === 0}
              taken={[
                ...view.other_files.map(({ name }) => name),
                ...others.map(({ chosen }) => chosen.name),
              ]}
              onItems={(items) => uploads.add(chosenFiles(items))}
            />
          )}
        </section>
      )}
      {isOpen && (status === 'open' || isDraft) && (
        <>
          <SenderCard name={sender} onName={setSender} />
          <SubmitBar
            view={view}
            isBusy={uploads.isBusy}
            isSubmitting={isSubmitting}
            held={held}
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

/** A file that misses its drop target does not replace the page. */
function usePreventedDrops(): void {
  useEffect(() => {
    const prevent = (event: DragEvent): void => event.preventDefault()
    addEventListener('dragover', prevent)
    addEventListener('drop', prevent)
    return () => {
      removeEventListener('dragover', prevent)
      removeEventListener('drop', prevent)
    }
  }, [])
}
