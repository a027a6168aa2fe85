import type { RoomComment } from '@kitseal/client'
import { useCallback, useState } from 'react'
import { nameText } from '../../../core/readable.ts'
import { t, rich } from '../../../core/texts.ts'
import { Button } from '../../../parts/button.tsx'
import { type Remark, RemarkForm, Remarks } from '../../../parts/remarks.tsx'
import { Status } from '../../../parts/status.tsx'
import { type Place, isAt, type Review } from '../shared.ts'
import { Tick } from '../../../parts/fields.tsx'
import { Time } from '../../../parts/time.tsx'
import { fetchJson, sendJson } from '../../../core/fetch-json.ts'
import { useLoaded } from '../../../core/use-loaded.ts'

/** As both the API and the link of a room take it. */
export interface NewComment extends Place {
  readonly text: string
  readonly is_question?: boolean
  readonly reply_to?: string
}

export interface ThreadsProps {
  readonly comments: readonly RoomComment[]
  /** False if the reader may only read. */
  readonly canWrite: boolean
  /** What a new comment is about, and the name of it if it is not the kit. */
  readonly place: Place
  readonly about: string | undefined
  /** What an item or a file is called. */
  nameOf(comment: RoomComment): string | undefined
  /** Fails, or is false, if the comment was not sent. */
  comment(body: NewComment): Promise<unknown>
  /** Undefined if the reader cannot resolve this question. */
  setState?(comment: RoomComment): ((state: 'open' | 'resolved') => void) | undefined
  /** Undefined if the reader may not erase. */
  erase?: ((comment: RoomComment) => void) | undefined
  /** The comment is about the whole kit again. */
  onWholeKit(): void
}

const MAX_LENGTH = 4000

/** Questions, comments and their answers, oldest first, and a form for another one. */
export function Threads(props: ThreadsProps) {
  const { comments, canWrite, place, about, onWholeKit } = props
  const send =
    (body: Omit<NewComment, 'text'>) =>
    async (text: string): Promise<void> => {
      // The text stays in the form.
      if ((await props.comment({ ...body, text })) === false) throw new Error(t('problem.unexpected'))
    }
  return (
    <div className="stack">
      <h3>{t('room.comments.title', { count: comments.length })}</h3>
      {comments
        .filter(({ reply_to }) => reply_to === null)
        .map((first) => (
          <Thread key={first.comment_id} {...props} first={first} send={send} />
        ))}
      {canWrite && (
        <RemarkForm
          label={
            about === undefined ? t('room.comments.wholeKit') : t('room.comments.about', { what: about })
          }
          hint={t('room.comments.text')}
          maxLength={MAX_LENGTH}
          actions={[
            { text: t('room.comments.question'), send: send({ ...place, is_question: true }) },
            { text: t('room.comments.comment'), send: send(place) },
          ]}
          onCancel={about === undefined ? undefined : onWholeKit}
        />
      )}
    </div>
  )
}

/** On whose side the author is, or that nobody verified the name. */
const sayer = ({ author_basis: basis, side }: RoomComment): string =>
  basis === 'not_verified' ? t('room.comments.notVerified') : t(`room.comments.sides.${side}`)

interface Said extends Remark {
  readonly comment: RoomComment
}

interface ThreadProps extends ThreadsProps {
  readonly first: RoomComment
  send(body: Omit<NewComment, 'text'>): (text: string) => Promise<void>
}

function Thread({ first, send, comments, canWrite, nameOf, setState, erase }: ThreadProps) {
  const [isAnswering, setIsAnswering] = useState(false)
  const about = nameOf(first)
  const change = setState?.(first)
  const answer = t('room.comments.replyTo', { who: nameText(first.author) })
  return (
    <div className="thread stack">
      {about !== undefined && <p className="quiet">{t('room.comments.about', { what: nameText(about) })}</p>}
      <Remarks<Said>
        remarks={[first, ...comments.filter(({ reply_to }) => reply_to === first.comment_id)].map(
          (comment) => ({
            id: comment.comment_id,
            author: comment.author,
            side: sayer(comment),
            at: comment.created_at,
            text: comment.text,
            comment,
          }),
        )}
        {...(erase !== undefined && {
          actions: ({ comment }) => (
            <Button size="small" look="quiet" onClick={() => erase(comment)}>
              {t('room.comments.erase')}
            </Button>
          ),
        })}
      />
      {first.erased_at === null && (
        <div className="row">
          {first.state !== null && <Status of="remark" is={first.state} texts="room.comments.states" />}
          {canWrite && !isAnswering && (
            <Button size="small" aria-label={answer} onClick={() => setIsAnswering(true)}>
              {t('room.comments.reply')}
            </Button>
          )}
          {first.state !== null && change !== undefined && (
            <Button
              size="small"
              look="quiet"
              onClick={() => change(first.state === 'resolved' ? 'open' : 'resolved')}
            >
              {first.state === 'resolved' ? t('room.comments.reopen') : t('room.comments.resolve')}
            </Button>
          )}
        </div>
      )}
      {isAnswering && (
        <RemarkForm
          label={answer}
          hasFocus
          maxLength={MAX_LENGTH}
          actions={[
            {
              text: t('room.comments.send'),
              send: async (text) => {
                await send({ kit_id: first.kit_id, reply_to: first.comment_id })(text)
                setIsAnswering(false)
              },
            },
          ]}
          onCancel={() => setIsAnswering(false)}
        />
      )}
    </div>
  )
}

export interface ReviewTickProps {
  readonly label: string
  /** For screen readers, if the label is the same for several. */
  readonly name?: string | undefined
  readonly isChecked: boolean
  readonly isDisabled: boolean
  onChange(isChecked: boolean): Promise<unknown>
}

/** Until the service knows, the tick is as the reader left it. */
export function ReviewTick({ isChecked, onChange, ...props }: ReviewTickProps) {
  const [wanted, setWanted] = useState<boolean>()
  const change = async (is: boolean): Promise<void> => {
    setWanted(is)
    await onChange(is)
    setWanted(undefined)
  }
  return <Tick {...props} isChecked={wanted ?? isChecked} onChange={(is) => void change(is)} />
}

interface ReviewedByProps {
  readonly reviews: readonly Review[]
  readonly place: Place
}

/** Who says that they have reviewed a kit, an item or a file, each as their own statement. */
export function ReviewedBy({ reviews, place }: ReviewedByProps) {
  return reviews
    .filter((review) => isAt(place, review))
    .map(({ reviewer, reviewer_basis: basis, created_at }) => {
      const who =
        basis === 'not_verified'
          ? `${nameText(reviewer)} (${t('room.comments.notVerified')})`
          : nameText(reviewer)
      return (
        <span key={`${basis} ${reviewer}`} className="quiet">
          {rich('room.review.by', { who, day: <Time at={created_at} as="day" /> })}
        </span>
      )
    })
}

const POLL_MS = 20_000
const NAME = 'kitseal-reviewer'

/** `remarks.json` of a room. */
interface Remarks {
  readonly comments: readonly RoomComment[]
  readonly reviews: readonly Review[]
}

export interface UseRemarks extends Remarks {
  /** Who writes: the address that the link was made for, or a name that is not verified. */
  readonly name: string
  readonly problem: unknown
  setName(name: string): void
  comment(body: NewComment): Promise<void>
  setState(comment: RoomComment, state: 'open' | 'resolved'): Promise<void>
  review(place: Place, isReviewed: boolean): Promise<void>
  isMine(place: Place): boolean
}

async function readPages(base: string): Promise<Remarks> {
  let all: Remarks = { comments: [], reviews: [] }
  for (let after: number | null = 0; after !== null;) {
    const page: Remarks & { readonly next: number | null } = await fetchJson(
      `${base}/remarks.json?after=${after}`,
    )
    const { comments, reviews } = page
    all = { comments: [...all.comments, ...comments], reviews: [...all.reviews, ...reviews] }
    after = page.next
  }
  return all
}

const NOTHING: Remarks = { comments: [], reviews: [] }

/** Comments and reviews of a room, looked up again from time to time and after each change. */
export function useRemarks(base: string, recipient: string | null): UseRemarks {
  const load = useCallback(() => readPages(base), [base])
  const { value: remarks = NOTHING, error, reload } = useLoaded(load, () => POLL_MS)
  const [problem, setProblem] = useState<unknown>()
  const [given, setGiven] = useState(() => sessionStorage.getItem(NAME) ?? '')
  const send = async (path: string, method: string, body: object): Promise<void> => {
    await sendJson(method, `${base}/${path}`, { ...body, ...(recipient === null && { name: given.trim() }) })
    setProblem(undefined)
    await reload()
  }
  const quietly = (sending: Promise<void>): Promise<void> => sending.catch(setProblem)
  const me = recipient?.toLowerCase() ?? given.trim()
  const basis = recipient === null ? 'not_verified' : 'recipient'
  return {
    ...remarks,
    name: recipient ?? given.trim(),
    problem: problem ?? error,
    setName: (name) => {
      sessionStorage.setItem(NAME, name)
      setGiven(name)
    },
    comment: (body) => send('comments', 'POST', body),
    setState: ({ comment_id }, state) => quietly(send(`comments/${comment_id}`, 'PATCH', { state })),
    review: (place, isReviewed) => quietly(send('reviews', 'PUT', { ...place, is_reviewed: isReviewed })),
    isMine: (place) =>
      remarks.reviews.some(
        (review) => isAt(place, review) && review.reviewer === me && review.reviewer_basis === basis,
      ),
  }
}
