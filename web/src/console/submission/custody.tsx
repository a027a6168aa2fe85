import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Submission } from '@kitseal/client'
import { Card, Notice } from '../../parts/blocks.tsx'
import { Time } from '../../parts/time.tsx'
import { sizeText } from '../../core/readable.ts'
import { navigate } from '../../core/router.tsx'
import { rich, t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'
import { useAllowed } from '../session.tsx'

type Held = Pick<Submission, 'submission_id' | 'hold' | 'erasure' | 'kit_id'>

/** That the evidence is under a legal hold, or was erased, when and by whom. */
export function CustodyNotice({ submission: { hold, erasure } }: { readonly submission: Held }) {
  if (hold !== null)
    return (
      <Notice
        tone="info"
        title={rich('console.custody.held', { day: <Time at={hold.created_at} as="day" /> })}
      >
        {hold.reason}
      </Notice>
    )
  if (erasure === null) return null
  const by =
    erasure.reason === 'retention'
      ? t('console.custody.byRule', { rule: erasure.rule ?? '' })
      : orderText(erasure.ordered_by ?? '')
  return (
    <Notice
      tone="warn"
      title={rich('console.custody.erased', { day: <Time at={erasure.erased_at} as="day" />, by })}
    >
      {t('console.custody.erasedText', { files: erasure.files, size: sizeText(erasure.bytes) })}
    </Notice>
  )
}

/** Legal hold and deletion, for owners. */
export function CustodyActions({ submission }: { readonly submission: Held }) {
  const [open, setOpen] = useState<'hold' | 'release' | 'delete'>()
  const [reason, setReason] = useState('')
  const { submission_id: id } = submission
  const change = async (what: 'hold' | 'release' | 'delete'): Promise<void> => {
    if (what === 'hold') await api.placeHold(id, { reason })
    else await (what === 'release' ? api.releaseHold(id) : api.deleteSubmission(id))
  }
  const done = (): void => {
    setOpen(undefined)
    if (open === 'delete' && submission.kit_id === null) navigate('/console/submissions')
  }
  const isHeld = submission.hold !== null
  if (!useAllowed('custody').is) return null
  return (
    <Card title={t('console.custody.title')}>
      <p className="quiet">{isHeld ? t('console.custody.leadHeld') : t('console.custody.lead')}</p>
      <div className="row">
        {isHeld ? (
          <Button variant="default" onClick={() => setOpen('release')}>
            {t('console.custody.release')}
          </Button>
        ) : (
          <>
            <Button variant="default" onClick={() => setOpen('hold')}>
              {t('console.custody.hold')}
            </Button>
            <Button variant="default" color="red.9" onClick={() => setOpen('delete')}>
              {t('console.custody.delete')}
            </Button>
          </>
        )}
      </div>
      {open !== undefined && (
        <ConfirmDialog
          title={t(`console.custody.dialogs.${open}.title`)}
          text={t(`console.custody.dialogs.${open}.text`)}
          action={t(`console.custody.dialogs.${open}.action`)}
          isDangerous={open !== 'hold'}
          stale={[]}
          run={() => change(open)}
          onDone={done}
          onClose={() => setOpen(undefined)}
        >
          {open === 'hold' && (
            <TextInput
              label={t('console.custody.reason')}
              placeholder={t('console.custody.reasonExample')}
              value={reason}
              maxLength={200}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
          )}
        </ConfirmDialog>
      )}
    </Card>
  )
}

function orderText(orderedBy: string): string {
  const [, kind, who = orderedBy] = /^(member|key):(.*)$/s.exec(orderedBy) ?? []
  if (kind === undefined) return t('console.custody.byOrder', { who })
  return t(kind === 'key' ? 'console.custody.byKey' : 'console.custody.byMember', { who })
}
