import type { RoomComment } from '@kitseal/client'
import { useCallback, useEffect, useState } from 'react'
import { messageOf } from '../../../core/error-message.ts'
import { fetchJson } from '../../../core/fetch-json.ts'
import { isAt, type Place, type Review } from '../shared.ts'
import type { NewComment } from './threads.tsx'

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
  readonly problem: string | undefined
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

/** Comments and reviews of a room, looked up again from time to time and after each change. */
export function useRemarks(base: string, recipient: string | null): UseRemarks {
  const [remarks, setRemarks] = useState<Remarks>({ comments: [], reviews: [] })
  const [problem, setProblem] = useState<string>()
  const [given, setGiven] = useState(() => sessionStorage.getItem(NAME) ?? '')
  const load = useCallback(
    () =>
      readPages(base).then(
        (value) => {
          setRemarks(value)
          setProblem(undefined)
        },
        (error: unknown) => setProblem(messageOf(error)),
      ),
    [base],
  )
  useEffect(() => {
    void load()
    const timer = setInterval(() => void load(), POLL_MS)
    return () => clearInterval(timer)
  }, [load])
  const send = async (path: string, method: string, body: object): Promise<void> => {
    await fetchJson(`${base}/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, ...(recipient === null && { name: given.trim() }) }),
    })
    await load()
  }
  const quietly = (sending: Promise<void>): Promise<void> =>
    sending.catch((error: unknown) => setProblem(messageOf(error)))
  const me = recipient?.toLowerCase() ?? given.trim()
  const basis = recipient === null ? 'not_verified' : 'recipient'
  return {
    ...remarks,
    name: recipient ?? given.trim(),
    problem,
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
