import type { Share } from '@kitseal/client'
import { Checkbox, NumberInput, PasswordInput, Radio, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useFirstRows } from '../../parts/first-rows.tsx'
import { nameText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'
import type { Finding } from '../blocker-groups.ts'
import { PossibleSecrets } from '../blocker-list.tsx'
import { api } from '../client.ts'
import { ChangeForm, Dialog } from '../dialogs.tsx'
import { useFields } from '../form.tsx'
import { useMe } from '../session.tsx'
import { NewLink } from './new-link.tsx'
import { SHARES } from './shares-key.ts'

export const LIVES = ['1', '7', '14', '30', '90', '365'] as const
export const inDays = (days: string): string =>
  new Date(Date.now() + Number(days) * 24 * 60 * 60_000).toISOString()

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
  const { values, set, text, choice, given } = useFields({
    days: '14' as (typeof LIVES)[number],
    to: '',
    note: '',
    chosen: undefined as readonly string[] | undefined,
    password: '',
    limit: '' as number | string,
  })
  const { days, to, note, chosen, password, limit } = values
  const [made, setMade] = useState<Share>()
  const { sends_mail: sendsMail } = useMe()
  const recipients = to.split(/[\s,;]+/).filter((address) => address !== '')
  const make = () =>
    api.createShare({
      kit_id: kitId,
      expires_at: inDays(days),
      ...(chosen === undefined ? {} : { paths: chosen }),
      ...(recipients.length === 0 ? {} : { recipients }),
      ...(note.trim() === '' ? {} : { note: note.trim() }),
      ...(password === '' ? {} : { password }),
      ...(limit === '' ? {} : { max_downloads: Number(limit) }),
    })
  const t = texts.console.shares
  const form = (
    <ChangeForm
      className="fields"
      action={t.create(recipients.length, sendsMail)}
      stale={SHARES}
      isReady={chosen?.length !== 0}
      run={make}
      onDone={setMade}
      onClose={onClose}
    >
      <PossibleSecrets findings={findings} />
      <TextInput
        label={t.to}
        description={t.toHint}
        maxLength={5000}
        inputMode="email"
        autoComplete="off"
        {...text('to')}
      />
      <p className="quiet" role="status">
        {recipients.length === 0
          ? password === ''
            ? t.forAnyone
            : t.forAnyoneWithPassword
          : sendsMail
            ? t.willMail
            : t.noMail}
      </p>
      <Select
        label={t.life}
        data={LIVES.map((value) => ({ value, label: t.lives[value] }))}
        {...choice('days')}
      />
      <TextInput label={t.note} description={t.noteHint} maxLength={500} {...text('note')} />
      {paths.length > 1 && (
        <Choice paths={paths} chosen={chosen} onChange={(some) => set({ chosen: some })} />
      )}
      <details className="more">
        <summary>{t.options}</summary>
        <div className="fields">
          <PasswordInput
            label={t.password}
            description={t.passwordHint}
            minLength={8}
            maxLength={200}
            autoComplete="new-password"
            {...text('password')}
          />
          <NumberInput
            label={t.limit}
            description={t.limitHint}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            {...given('limit')}
          />
        </div>
      </details>
    </ChangeForm>
  )
  return (
    <Dialog title={made === undefined ? t.title(nameText(label)) : t.created} onClose={onClose}>
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
  const t = texts.console.shares
  return (
    <Radio.Group
      label={t.what}
      value={chosen === undefined ? 'whole' : 'some'}
      onChange={(value) => onChange(value === 'whole' ? undefined : [])}
    >
      <div className="share-choice">
        <Radio value="whole" label={t.whole} />
        <Radio value="some" label={t.some} />
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
