import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

/** Changes something, and then asks the queries again that show it. */
export function useChange<Answer, Given = void>(
  stale: QueryKey,
  change: (given: Given) => Promise<Answer>,
  onDone?: (answer: Answer) => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (answer) => onDone?.(answer),
    onSettled: () => queries.invalidateQueries({ queryKey: stale }),
  })
}
