import {
  classifyPicked,
  type PickedItems,
  type Subject,
  supportsEd25519,
  canConfirmSender,
  keyForm,
  policyForm,
  type Result,
} from '@kitseal/kit/in-browser'
import type { TrustedKeySet } from '@kitseal/kit/internal'
import { useEffect, useMemo, useState, useRef } from 'react'
import { matchPath, useLocation } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import { useLoaded } from '../core/use-loaded.ts'
import { Alert, Heading, Problem } from '../parts/blocks.tsx'
import { PublicFrame } from '../parts/frame.tsx'
import { DropArea, Picker, usePageDrops } from '../parts/drop.tsx'
import { NamedKit } from './named-kit.tsx'
import { chosenSubject, type Given, publishedKeys, useVerification } from './use-verification.ts'
import { Progress, ResultView } from './result-view.tsx'

/** `/verify` and `/verify/{kit_id}`. Nothing is uploaded. */
export default function VerifyPage() {
  const kitId = matchPath('/verify/:kitId', useLocation().pathname)?.['kitId']
  const [chosen, setChosen] = useState<{ readonly subject: Subject; readonly given: Given }>()
  const [problem, setProblem] = useState<string>()
  const [isOld, setIsOld] = useState(false)
  const { value: keys, error, reload } = useLoaded(publishedKeys)
  useEffect(() => void supportsEd25519().then((supported) => setIsOld(!supported)), [])
  const all = useMemo(
    () =>
      chosen === undefined || keys === undefined ? [] : [chosenSubject(chosen.subject, keys, chosen.given)],
    [chosen, keys],
  )
  const { states } = useVerification(all, true)
  const [one] = all
  const state = one && states.get(one.id)
  const reset = (why?: string): void => {
    setChosen(undefined)
    setProblem(why)
  }
  const accept = async (items: PickedItems): Promise<void> => {
    const subject = await subjectOf(items)
    if (typeof subject === 'string') return reset(subject)
    setProblem(undefined)
    return setChosen({ subject, given: {} })
  }
  const formsFor = useReaderForms((subject, given) => setChosen({ subject, given }))
  const isDisabled = error !== undefined
  const { isOver, read } = usePageDrops({
    isDisabled,
    onItems: accept,
    onUnreadable: (why) => reset(t('verify.unreadable', { why })),
  })
  const isNamed = kitId !== undefined
  const picker = {
    isDisabled,
    isMultiple: false,
    onItems: read,
  }
  const stopped = state?.is === 'failed' ? state.message : undefined
  return (
    <PublicFrame title={isNamed ? t('verify.named.title') : t('verify.title')}>
      <div className="no-print">
        <Heading
          title={isNamed ? t('verify.named.title') : t('verify.title')}
          lead={isNamed ? t('verify.named.lead') : t('verify.lead')}
        />
      </div>
      {isOld && <Alert text={t('verify.oldBrowser')} />}
      {error !== undefined && (
        <Problem title={t('verify.keysMissing')} error={error} onRetry={() => void reload()} />
      )}
      {isNamed && <NamedKit kitId={kitId} keys={keys?.keys} />}
      {one !== undefined && state?.is === 'running' && (
        <Progress hasFocus of={one} readBytes={state.readBytes} onStop={() => reset(t('verify.stopped'))} />
      )}
      {chosen !== undefined && state?.is === 'done' && (
        <ResultView
          result={state.outcome}
          expectedKitId={kitId}
          {...formsFor(chosen.subject, state.outcome)}
          onAgain={() => reset()}
        />
      )}
      {(state === undefined || stopped !== undefined) && (
        <>
          <DropArea
            title={isNamed ? t('verify.named.dropTitle') : t('verify.dropTitle')}
            hint={t('verify.dropHint')}
            isDisabled={isDisabled}
            isOver={isOver}
          >
            <Picker
              {...picker}
              label={t('verify.chooseFile')}
              accept=".zip,.json,application/zip,application/json"
            />
            <Picker {...picker} isFolder label={t('verify.chooseFolder')} />
          </DropArea>
          <Alert tone="warn" text={stopped ?? problem} />
        </>
      )}
      {keys !== undefined && <KeyList keys={keys.keys} />}
    </PublicFrame>
  )
}

/** The kit or receipt among the files, or what is wrong with them. */
async function subjectOf({ files, folders }: PickedItems): Promise<Subject | string> {
  const picked = await classifyPicked(files, folders)
  if (picked.is === 'rejected') return picked.reason
  if (picked.kit !== undefined) return picked.kit
  const [file, ...more] = picked.jsonFiles
  if (file === undefined || more.length > 0) return t('verify.oneAtATime')
  return { is: 'receipt', name: file.name, file }
}

function KeyList({ keys }: { readonly keys: TrustedKeySet }) {
  return (
    <details className="quiet no-print">
      <summary>{t('verify.keysTitle', { count: keys.keys.length })}</summary>
      <ul>
        {keys.keys.map(({ kid }) => (
          <li key={kid}>
            <code>{kid}</code>
          </li>
        ))}
      </ul>
    </details>
  )
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
