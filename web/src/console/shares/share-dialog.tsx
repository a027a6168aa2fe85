import { Checkbox, Radio } from '@mantine/core'
import { useState } from 'react'
import { useFirstRows } from '../../parts/first-rows.tsx'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import type { Finding } from '../../core/findings.ts'
import { PossibleSecrets } from '../../parts/finding-list.tsx'
import { api } from '../client.ts'
import { ChangeForm, Dialog } from '../dialogs.tsx'
import { useLinkFields } from './link-fields.tsx'
import { type Linked, ofShare } from './linked.ts'
import { NewLink } from './new-link.tsx'
import { SHARES } from './shares-key.ts'

export interface ShareDialogProps {
  readonly kitId: string
  readonly label: string
  /** Paths of the evidence. */
  readonly paths: readonly string[]
  readonly findings: readonly Finding[]
  onClose(): void
}

/** Creates a share and shows its link. */
export function ShareDialog({ kitId, label, paths, findings, onClose }: ShareDialogProps) {
  const [chosen, setChosen] = useState<readonly string[]>()
  const [made, setMade] = useState<Linked>()
  const links = useLinkFields()
  const make = async () =>
    ofShare(
      await api.createShare({
        kit_id: kitId,
        ...(chosen === undefined ? {} : { paths: chosen }),
        ...links.body,
      }),
    )
  const form = (
    <ChangeForm
      className="fields"
      action={links.action}
      stale={SHARES}
      isReady={chosen?.length !== 0}
      run={make}
      onDone={setMade}
      onClose={onClose}
    >
      <PossibleSecrets findings={findings} />
      {links.inputs}
      {paths.length > 1 && <Choice paths={paths} chosen={chosen} onChange={setChosen} />}
      {links.options}
    </ChangeForm>
  )
  return (
    <Dialog
      title={
        made === undefined
          ? t('console.shares.title', { label: nameText(label) })
          : t('console.shares.created')
      }
      onClose={onClose}
    >
      {made === undefined ? form : <NewLink share={made} onDone={onClose} />}
    </Dialog>
  )
}

interface ChoiceProps {
  readonly paths: readonly string[]
  /** Undefined for the whole kit. */
  readonly chosen: readonly string[] | undefined
  onChange(chosen: readonly string[] | undefined): void
}

function Choice({ paths, chosen, onChange }: ChoiceProps) {
  const { rows, more } = useFirstRows(paths)
  return (
    <Radio.Group
      label={t('console.shares.what')}
      value={chosen === undefined ? 'whole' : 'some'}
      onChange={(value) => onChange(value === 'whole' ? undefined : [])}
    >
      <div className="share-choice">
        <Radio value="whole" label={t('console.shares.whole')} />
        <Radio value="some" label={t('console.shares.some')} />
      </div>
      {chosen !== undefined && (
        <div className="share-files">
          {rows.map((path) => (
            <Checkbox
              key={path}
              label={nameText(path.replace(/^data\//, ''))}
              checked={chosen.includes(path)}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? [...chosen, path] : chosen.filter((each) => each !== path))
              }
            />
          ))}
          {more}
        </div>
      )}
    </Radio.Group>
  )
}
