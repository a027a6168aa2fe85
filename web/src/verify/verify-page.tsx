import type { TrustedKeySet } from '@kitseal/kit/internal'
import { classifyPicked, type PickedItems, type Subject, supportsEd25519 } from '@kitseal/kit/in-browser'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Alert, Heading } from '../parts/blocks.tsx'
import { DropArea, usePageDrops } from '../parts/drop-area.tsx'
import { PublicFrame } from '../parts/frame.tsx'
import { Unavailable } from '../parts/unavailable.tsx'
import { matchPath, useLocation } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import { useLoaded } from '../core/use-loaded.ts'
import '../styles/verify.css'
import { NamedKit } from './named-kit.tsx'
import { ProgressView } from './progress-view.tsx'
import { type PublishedKeys, publishedKeys } from './published-keys.ts'
import { ResultView } from './result-view.tsx'
import { useReaderForms } from './use-reader-forms.ts'
import { useVerification } from './use-verification.ts'

/** `/verify` and `/verify/{kit_id}`. Nothing is uploaded. */
export function VerifyPage() {
  const kitId = matchPath('/verify/:kitId', useLocation().pathname)?.['kitId']
  const { state, start, reset } = useVerification()
  const [isOld, setIsOld] = useState(false)
  const loading = useRef<Promise<PublishedKeys>>(undefined)
  const load = useCallback(() => (loading.current = publishedKeys()), [])
  const { value: keys, error, reload } = useLoaded(load)
  useEffect(() => void supportsEd25519().then((supported) => setIsOld(!supported)), [])

  const accept = async (items: PickedItems): Promise<void> => {
    const subject = await subjectOf(items)
    if (typeof subject === 'string') return reset(subject)
    const published = await loading.current?.catch(() => undefined)
    if (published !== undefined) start(subject, published)
    return undefined
  }
  const formsFor = useReaderForms((subject, given) => {
    if (keys !== undefined) start(subject, keys, given)
  })
  const isDisabled = error !== undefined
  const onItems = (items: PickedItems): void => void accept(items)
  const { isOver } = usePageDrops({
    isDisabled,
    onItems,
    onUnreadable: (why) => reset(t('verify.unreadable', { why })),
  })
  const isNamed = kitId !== undefined
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
        <Unavailable tone="fail" isAlert title={t('verify.keysMissing')} error={error} onRetry={reload} />
      )}
      {isNamed && <NamedKit kitId={kitId} keys={keys?.keys} />}
      {state.is === 'idle' && (
        <>
          <DropArea
            title={isNamed ? t('verify.named.dropTitle') : t('verify.dropTitle')}
            hint={t('verify.dropHint')}
            chooseFiles={t('verify.chooseFile')}
            chooseFolder={t('verify.chooseFolder')}
            accept=".zip,.json,application/zip,application/json"
            isDisabled={isDisabled}
            isOver={isOver}
            onItems={onItems}
          />
          <Alert tone="warn" text={state.problem} />
        </>
      )}
      {state.is === 'running' && <ProgressView {...state} onStop={() => reset(t('verify.stopped'))} />}
      {state.is === 'done' && (
        <ResultView
          result={state.result}
          expectedKitId={kitId}
          {...formsFor(state.subject, state.result)}
          onAgain={() => reset()}
        />
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
    <details className="keys-used no-print">
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
