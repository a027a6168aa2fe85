import { ApiError, type Submission } from '@kitseal/client'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, once } from '../client.ts'
import { randomKey } from '../../core/random-key.ts'

export const REVOCATIONS = ['revocations'] as const

const ATTEMPTS = 5
const WAIT_MS = 5000

/** Re-issues one kit. All attempts share a key, so a retry never creates a second submission. */
async function reissue(submissionId: string): Promise<Submission> {
  const options = once(randomKey())
  for (let attempt = 1; ; attempt++) {
    try {
      return await api.reissueKit(submissionId, options)
    } catch (error) {
      if (attempt === ATTEMPTS || !mayPass(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    }
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 429 || error.status === 503)

export function useReissue(onDone: (made: Submission) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: reissue,
    onSuccess: onDone,
    onSettled: () => refresh(queries),
  })
}

/** Re-issues every kit of a revoked key, one after the other. */
export function useReissueAll() {
  const queries = useQueryClient()
  const [done, setDone] = useState(0)
  const mutation = useMutation({
    mutationFn: async (kid: string) => {
      setDone(0)
      // A re-issue that fails is listed again, and is not repeated.
      const requested = new Set<string>()
      for (;;) {
        const { data } = await api.getRevocations()
        const listed = data.find((key) => key.kid === kid)?.submissions ?? []
        const left = listed.filter((id) => !requested.has(id))
        if (left.length === 0) return
        for (const id of left) {
          requested.add(id)
          await reissue(id).catch(ignoreReissued)
          setDone(requested.size)
        }
      }
    },
    onSettled: () => refresh(queries),
  })
  return { ...mutation, done }
}

/** Somebody else re-issued it meanwhile. */
function ignoreReissued(error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 'kit_already_reissued') throw error
}

function refresh(queries: QueryClient): void {
  for (const name of ['revocations', 'submissions', 'submission'])
    void queries.invalidateQueries({ queryKey: [name] })
}
