import { useState } from 'react'
import { messageOf } from '../core/error-message.ts'
import { publishedKeys } from './published-keys.ts'
import { useVerification, type VerificationState } from './use-verification.ts'

export interface KitCheck {
  readonly state: VerificationState
  readonly isLoading: boolean
  verify(): void
  reset(problem?: string): void
}

/** Downloads a kit into the browser and verifies it there against the published keys. */
export function useKitCheck(load: () => Promise<Blob>): KitCheck {
  const { state, start, reset } = useVerification()
  const [isLoading, setIsLoading] = useState(false)
  const verify = (): void => {
    setIsLoading(true)
    Promise.all([publishedKeys(), load()])
      .then(([keys, kit]) => {
        const file = new File([kit], 'kit.zip', { type: 'application/zip' })
        start({ is: 'zip', name: file.name, file }, keys)
      })
      .catch((error: unknown) => reset(messageOf(error)))
      .finally(() => setIsLoading(false))
  }
  return { state, isLoading, verify, reset }
}
