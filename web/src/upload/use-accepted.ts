import { useState } from 'react'
import type { ChosenFile } from './chosen-files.ts'

/** The codes that the user acknowledges. A possible secret is acknowledged in the files that are chosen then, not in others. */
export function useAccepted(files: readonly ChosenFile[]) {
  const [accepted, setAccepted] = useState({ codes: new Set() as ReadonlySet<string>, files })
  if (accepted.files !== files) {
    const codes = new Set(accepted.codes)
    codes.delete('possible_secret')
    setAccepted({ codes, files })
  }
  return [accepted.codes, (codes: ReadonlySet<string>) => setAccepted({ codes, files })] as const
}
