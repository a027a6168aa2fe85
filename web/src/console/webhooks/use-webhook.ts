import { useMutation, useQueryClient } from '@tanstack/react-query'

export const WEBHOOKS = ['webhooks'] as const

/** Changes a webhook, and reloads it, the list and its log. */
export function useWebhookChange<Given, Answer>(
  mutationFn: (given: Given) => Promise<Answer>,
  onDone: (answer: Answer) => void = () => undefined,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: async (answer) => {
      onDone(answer)
      await queries.invalidateQueries({ queryKey: WEBHOOKS })
    },
  })
}
