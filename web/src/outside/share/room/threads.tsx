import type { RoomComment } from '@kitseal/client'
import { Button } from '@mantine/core'
import { type FormEvent, useId, useState } from 'react'
import { Badge } from '../../../parts/badge.tsx'
import { Time } from '../../../parts/time.tsx'
import { nameText } from '../../../core/readable.ts'
import { t } from '../../../core/texts.ts'
import type { Place } from './shared-room.ts'

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
  comment(body: NewComment): Promise<boolean>
  /** Undefined if the reader cannot resolve this question. */
  setState?(comment: RoomComment): ((state: 'open' | 'resolved') => void) | undefined
  /** Undefined if the reader may not erase. */
  erase?: ((comment: RoomComment) => void) | undefined
  /** The comment is about the whole kit again. */
  onWholeKit(): void
}

/** Questions, comments and their answers, oldest first, and a form for another one. */
export function Threads(props: ThreadsProps) {
  const { comments, canWrite, place, about, comment, onWholeKit } = props
  const firsts = comments.filter(({ reply_to }) => reply_to === null)
  return (
    <div className="room-threads">
      <h3>{t('room.comments.title', { count: comments.length })}</h3>
      {firsts.length > 0 && (
        <ul className="room-list">
          {firsts.map((first) => (
            <li key={first.comment_id} className="room-thread">
              <Thread {...props} first={first} />
            </li>
          ))}
        </ul>
      )}
      {canWrite && (
        <CommentForm
          label={
            about === undefined ? t('room.comments.wholeKit') : t('room.comments.about', { what: about })
          }
          actions={[
            { text: t('room.comments.question'), body: { ...place, is_question: true } },
            { text: t('room.comments.comment'), body: place },
          ]}
          comment={comment}
          onCancel={about === undefined ? undefined : onWholeKit}
        />
      )}
    </div>
  )
}

const LOOKS = {
  open: { icon: 'clock', look: 'draft' },
  answered: { icon: 'inbox', look: 'running' },
  resolved: { icon: 'check', look: 'passed' },
} as const

function Thread({ first, ...props }: ThreadsProps & { readonly first: RoomComment }) {
  const [isAnswering, setIsAnswering] = useState(false)
  const { comments, canWrite, nameOf, comment, setState } = props
  const replies = comments.filter(({ reply_to }) => reply_to === first.comment_id)
  const about = nameOf(first)
  const change = setState?.(first)
  return (
    <>
      {about !== undefined && <p className="quiet">{t('room.comments.about', { what: nameText(about) })}</p>}
      {[first, ...replies].map((each) => (
        <Said key={each.comment_id} comment={each} erase={props.erase} />
      ))}
      {first.erased_at === null && (
        <div className="row">
          {first.state !== null && (
            <Badge {...LOOKS[first.state]}>{t(`room.comments.states.${first.state}`)}</Badge>
          )}
          {canWrite && !isAnswering && (
            <Button
              size="xs"
              variant="default"
              aria-label={t('room.comments.replyTo', { who: first.author })}
              onClick={() => setIsAnswering(true)}
            >
              {t('room.comments.reply')}
            </Button>
          )}
          {first.state !== null && change !== undefined && (
            <Button
              size="xs"
              variant="subtle"
              onClick={() => change(first.state === 'resolved' ? 'open' : 'resolved')}
            >
              {first.state === 'resolved' ? t('room.comments.reopen') : t('room.comments.resolve')}
            </Button>
          )}
        </div>
      )}
      {isAnswering && (
        <CommentForm
          label={t('room.comments.replyTo', { who: nameText(first.author) })}
          actions={[
            { text: t('room.comments.send'), body: { kit_id: first.kit_id, reply_to: first.comment_id } },
          ]}
          comment={async (body) => {
            const isSent = await comment(body)
            if (isSent) setIsAnswering(false)
            return isSent
          }}
          onCancel={() => setIsAnswering(false)}
        />
      )}
    </>
  )
}

function Said({ comment, erase }: { readonly comment: RoomComment } & Pick<ThreadsProps, 'erase'>) {
  const { author, author_basis: basis, side, created_at, text } = comment
  if (text === null) return <p className="quiet">{t('room.comments.erased')}</p>
  return (
    <div className="room-said">
      <p>
        <span className="strong">{nameText(author)}</span>{' '}
        <span className="quiet">
          {basis === 'not_verified' ? t('room.comments.notVerified') : t(`room.comments.sides.${side}`)} ·{' '}
          <Time at={created_at} as="ago" />
        </span>
        {erase !== undefined && (
          <Button size="compact-xs" variant="subtle" color="red" onClick={() => erase(comment)}>
            {t('room.comments.erase')}
          </Button>
        )}
      </p>
      <p className="room-text">{text}</p>
    </div>
  )
}

interface CommentFormProps {
  readonly label: string
  readonly actions: readonly { readonly text: string; readonly body: Omit<NewComment, 'text'> }[]
  comment(body: NewComment): Promise<boolean>
  readonly onCancel: (() => void) | undefined
}

function CommentForm({ label, actions, comment, onCancel }: CommentFormProps) {
  const [text, setText] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const id = useId()
  const send = (body: Omit<NewComment, 'text'>): void => {
    setIsBusy(true)
    void comment({ ...body, text })
      .then((isSent) => isSent && setText(''))
      .finally(() => setIsBusy(false))
  }
  const [first] = actions
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (first !== undefined) send(first.body)
  }
  return (
    <form className="room-form" onSubmit={submit}>
      <label htmlFor={id} className="strong">
        {label}
      </label>
      <textarea
        id={id}
        rows={3}
        maxLength={4000}
        required
        placeholder={t('room.comments.text')}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="row">
        {actions.map(({ text: name, body }, index) => (
          <Button
            key={name}
            size="sm"
            variant={index === 0 ? 'filled' : 'default'}
            disabled={text.trim() === ''}
            loading={isBusy && index === 0}
            onClick={() => send(body)}
          >
            {name}
          </Button>
        ))}
        {onCancel !== undefined && (
          <Button size="sm" variant="subtle" onClick={onCancel}>
            {t('room.comments.cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}
