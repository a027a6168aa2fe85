import {
  canConfirmSender,
  type GivenKeys,
  type GivenPolicy,
  keyForm,
  policyForm,
  type Result,
  type Subject,
} from '@kitseal/kit/in-browser'
import { useRef } from 'react'

/** What the reader gave for one kit. */
export interface Given {
  readonly keys?: GivenKeys
  readonly policy?: GivenPolicy
}

export interface ReaderForms {
  readonly keyForm: HTMLElement | undefined
  readonly policyForm: HTMLElement | undefined
}

interface Current {
  readonly subject: Subject
  readonly policyForm: HTMLElement
  keyForm?: HTMLElement
  given: Given
}

/** The forms for the keys of another issuer and for a policy, kept while the same kit is checked again. */
export function useReaderForms(
  onGiven: (subject: Subject, given: Given) => void,
): (subject: Subject, result: Result) => ReaderForms {
  const kept = useRef<Current>(undefined)
  return (subject, { report, receipt, kitKeySet }) => {
    const give = (more: Given): void => {
      current.given = { ...current.given, ...more }
      onGiven(subject, current.given)
    }
    const current: Current =
      kept.current?.subject === subject
        ? kept.current
        : { subject, given: {}, policyForm: policyForm((policy) => give({ policy })) }
    kept.current = current
    const isKit = subject.is !== 'receipt' && report.verdict !== 'unreadable'
    if (isKit && canConfirmSender(report) && receipt !== undefined)
      current.keyForm ??= keyForm({
        issuer: receipt.issuer,
        kitKeySet,
        onKeys: (keys) => give({ keys }),
      }).element
    const canConfirm = canConfirmSender(report) || report.verdict === 'signer_unknown'
    return {
      keyForm: canConfirm ? current.keyForm : undefined,
      policyForm: isKit ? current.policyForm : undefined,
    }
  }
}
