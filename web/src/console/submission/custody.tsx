import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Submission } from '@kitseal/client'
import { Card, Notice } from '../../parts/blocks.tsx'
import { TimeText } from '../../parts/time.tsx'
import { sizeText } from '../../readable.ts'
import { navigate } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'
import { useAllowed } from '../session.tsx'

type Held = Pick<Submission, 'submission_id' | 'hold' | 'erasure' | 'kit_id'>

/** That the evidence is under a legal hold, or was erased, when and by whom. */
export function CustodyNotice({ submission: { hold, erasure } }: { readonly submission: Held }) {
  const t = texts.console.custody
  if (hold !== null)
    return (
      <Notice tone="info" title={<TimeText text={t.held} at={hold.created_at} as="day" />}>
        {hold.reason}
      </Notice>
    )
  if (erasure === null) return null
  const by =
    erasure.reason === 'retention' ? t.byRule(erasure.rule ?? '') : t.byOrder(erasure.ordered_by ?? '')
  return (
    <Notice
      tone="warn"
      title={<TimeText text={(day) => t.erased(day, by)} at={erasure.erased_at} as="day" />}
    >
      {t.erasedText(erasure.files, sizeText(erasure.bytes))}
    </Notice>
  )
}

/** Legal hold and deletion, for owners. */
export function CustodyActions({ submission }: { readonly submission: Held }) {
  const [open, setOpen] = useState<'hold' | 'release' | 'delete'>()
  const [reason, setReason] = useState('')
  const { submission_id: id } = submission
  const change = async (what: 'hold' | 'release' | 'delete'): Promise<void> => {
    if (what === 'hold') await api.placeHold(id, reason)
    else await (what === 'release' ? api.releaseHold(id) : api.deleteSubmission(id))
  }
  const done = (): void => {
    setOpen(undefined)
    if (open === 'delete' && submission.kit_id === null) navigate('/console/submissions')
  }
  const isHeld = submission.hold !== null
  const t = texts.console.custody
  if (!useAllowed('custody').is) return null
  return (
    <Card title={t.title}>
      <p className="quiet">{isHeld ? t.leadHeld : t.lead}</p>
      <div className="row">
        {isHeld ? (
          <Button variant="default" onClick={() => setOpen('release')}>
            {t.release}
          </Button>
        ) : (
          <>
            <Button variant="default" onClick={() => setOpen('hold')}>
              {t.hold}
            </Button>
            <Button variant="default" color="red.9" onClick={() => setOpen('delete')}>
              {t.delete}
            </Button>
          </>
        )}
      </div>
      {open !== undefined && (
        <ConfirmDialog
          {...t.dialogs[open]}
          isDangerous={open !== 'hold'}
          stale={[]}
          run={() => change(open)}
          onDone={done}
          onClose={() => setOpen(undefined)}
        >
          {open === 'hold' && (
            <TextInput
              label={t.reason}
              placeholder={t.reasonExample}
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
