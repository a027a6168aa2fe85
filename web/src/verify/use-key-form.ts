import { type GivenKeys, keyForm, type Result, type Subject } from '@kitseal/kit/in-browser'
import { useRef } from 'react'

/** The form for the keys of another issuer, kept while the same kit is checked again. */
export function useKeyForm(
  onKeys: (subject: Subject, given: GivenKeys) => void,
): (subject: Subject, result: Result) => HTMLElement | undefined {
  const current = useRef<{ readonly subject: Subject; readonly element: HTMLElement }>(undefined)
  return (subject, { report, receipt, kitKeySet }) => {
    const { verdict } = report
    const isSame = current.current?.subject === subject
    if (verdict === 'sender_unconfirmed' && subject.is !== 'receipt' && receipt !== undefined && !isSame) {
      const { issuer } = receipt
      const { element } = keyForm({ issuer, kitKeySet, onKeys: (given) => onKeys(subject, given) })
      current.current = { subject, element }
    }
    const canConfirm = verdict === 'sender_unconfirmed' || verdict === 'signer_unknown'
    return canConfirm && current.current?.subject === subject ? current.current.element : undefined
  }
}
