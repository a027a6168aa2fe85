import { Button, Checkbox, NumberInput, PasswordInput, Radio, Select, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useFirstRows } from '../../parts/first-rows.tsx'
import { nameText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { Dialog } from '../confirm-dialog.tsx'
import { Problem } from '../problem.tsx'
import { NewLink } from './new-link.tsx'

const LIVES = [1, 7, 14, 30, 90, 365] as const
const DAY_MS = 24 * 60 * 60_000

export interface ShareDialogProps {
  readonly kitId: string
  readonly label: string
  /** Paths of the evidence. */
  readonly paths: readonly string[]
  onClose(): void
}

/** Creates a share and shows its link. */
export function ShareDialog({ kitId, label, paths, onClose }: ShareDialogProps) {
  const [days, setDays] = useState<(typeof LIVES)[number]>(14)
  const [to, setTo] = useState('')
  const [note, setNote] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>()
  const [password, setPassword] = useState('')
  const [limit, setLimit] = useState<number | string>('')
  const queries = useQueryClient()
  const making = useMutation({
    mutationFn: async () => {
      const recipients = to.split(/[\s,;]+/).filter((address) => address !== '')
      const share = await api.createShare({
        kit_id: kitId,
        expires_at: new Date(Date.now() + days * DAY_MS).toISOString(),
        ...(chosen === undefined ? {} : { paths: chosen }),
        ...(recipients.length === 0 ? {} : { recipients }),
        ...(note.trim() === '' ? {} : { note: note.trim() }),
        ...(password === '' ? {} : { password }),
        ...(limit === '' ? {} : { max_downloads: Number(limit) }),
      })
      const isCopied = await copied(share.url ?? '')
      return { url: share.url ?? '', recipients: share.recipients, isCopied }
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['shares'] }),
  })
  const t = texts.console.shares
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    making.mutate()
  }
  if (making.data !== undefined)
    return (
      <Dialog title={making.data.isCopied ? t.createdCopied : t.created} isOpen onClose={onClose}>
        <NewLink {...making.data} life={t.lives[days]} onDone={onClose} />
      </Dialog>
    )
  return (
    <Dialog title={t.title(nameText(label))} isOpen onClose={onClose}>
      <form className="fields" onSubmit={submit}>
        <Select
          label={t.life}
          data={LIVES.map((value) => ({ value: String(value), label: t.lives[value] }))}
          value={String(days)}
          allowDeselect={false}
          onChange={(value) => setDays(LIVES.find((each) => String(each) === value) ?? 14)}
        />
        <TextInput
          label={t.to}
          description={t.toHint}
          value={to}
          maxLength={5000}
          inputMode="email"
          autoComplete="off"
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
        <TextInput
          label={t.note}
          description={t.noteHint}
          value={note}
          maxLength={500}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        {paths.length > 1 && <Choice paths={paths} chosen={chosen} onChange={setChosen} />}
        <details className="more">
          <summary>{t.options}</summary>
          <div className="fields">
            <PasswordInput
              label={t.password}
              description={t.passwordHint}
              value={password}
              minLength={8}
              maxLength={200}
              autoComplete="new-password"
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
            <NumberInput
              label={t.limit}
              description={t.limitHint}
              value={limit}
              min={1}
              max={1_000_000}
              allowDecimal={false}
              onChange={setLimit}
            />
          </div>
        </details>
        {making.error !== null && <Problem error={making.error} />}
        <div className="row dialog-actions">
          <Button variant="default" onClick={onClose}>
            {texts.console.cancel}
          </Button>
          <Button type="submit" data-autofocus loading={making.isPending} disabled={chosen?.length === 0}>
            {t.create}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The browser may refuse, if the click is too long ago. */
async function copied(url: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(url)
    return true
  } catch {
    return false
  }
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
