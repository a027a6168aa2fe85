import { Button, Checkbox, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { supplierMessageOf } from '../error-message.ts'
import { Alert, Card } from '../parts/blocks.tsx'
import { Icon } from '../parts/icons.tsx'
import { nameText } from '../readable.ts'
import { texts } from '../texts/index.ts'
import type { Said, SupplierApi, SupplierView } from './supplier-api.ts'

export interface SenderCardProps {
  readonly api: SupplierApi
  readonly sender: SupplierView['sender']
  readonly said: Said
  onSaid(said: Said): void
  onView(view: SupplierView): void
}

/** Who submits: a name, and an address that a code confirms. Both are optional. */
export function SenderCard({ api, sender, said, onSaid, onView }: SenderCardProps) {
  const t = texts.request.sender
  return (
    <Card title={t.title} className="sender-card">
      <TextInput
        label={t.name}
        description={t.nameHint}
        autoComplete="name"
        maxLength={200}
        value={said.name}
        onChange={({ currentTarget }) => onSaid({ ...said, name: currentTarget.value })}
      />
      {sender.mails && sender.confirmed === null && (
        <ConfirmAddress api={api} sender={sender} onView={onView} />
      )}
      {sender.confirmed !== null && (
        <>
          <p className="sender-confirmed" role="status">
            <Icon name="check" className="icon good" />
            <span>{t.confirmed(nameText(sender.confirmed))}</span>
          </p>
          <Checkbox
            label={t.seal}
            description={t.sealHint}
            checked={said.seal_address}
            onChange={({ currentTarget }) => onSaid({ ...said, seal_address: currentTarget.checked })}
          />
        </>
      )}
      {sender.copy_to !== null && (
        <Checkbox
          label={t.copy(nameText(sender.copy_to))}
          checked={said.mail_copy}
          onChange={({ currentTarget }) => onSaid({ ...said, mail_copy: currentTarget.checked })}
        />
      )}
    </Card>
  )
}

function ConfirmAddress({ api, sender, onView }: Pick<SenderCardProps, 'api' | 'sender' | 'onView'>) {
  const [isOpen, setIsOpen] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const [address, setAddress] = useState(sender.code?.address ?? sender.recipient ?? '')
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const t = texts.request.sender
  const attempt = async (event: FormEvent, work: () => Promise<SupplierView>): Promise<void> => {
    event.preventDefault()
    setProblem(undefined)
    setIsBusy(true)
    try {
      onView(await work())
      setIsAsking(false)
      setCode('')
    } catch (error) {
      setProblem(supplierMessageOf(error))
    }
    setIsBusy(false)
  }
  if (sender.code === null && !isOpen)
    return (
      <button type="button" className="text-button" onClick={() => setIsOpen(true)}>
        {t.open}
      </button>
    )
  return sender.code === null || isAsking ? (
    <form
      className="sender-form"
      onSubmit={(event) => void attempt(event, () => api.sendCode(address.trim()))}
    >
      <TextInput
        type="email"
        required
        autoFocus
        label={t.address}
        description={t.addressHint}
        autoComplete="email"
        maxLength={254}
        value={address}
        onChange={({ currentTarget }) => setAddress(currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={isBusy}>
        {t.send}
      </Button>
      <Alert text={problem} />
    </form>
  ) : (
    <form className="sender-form" onSubmit={(event) => void attempt(event, () => api.confirmCode(code))}>
      <p role="status">{t.mailed[sender.code.mail](nameText(sender.code.address))}</p>
      <TextInput
        required
        autoFocus
        label={t.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]{6}"
        maxLength={6}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value.replaceAll(/\D/g, ''))}
      />
      <div className="row">
        <Button type="submit" variant="default" loading={isBusy} disabled={code.length < 6}>
          {t.confirm}
        </Button>
        <button type="button" className="text-button" onClick={() => setIsAsking(true)}>
          {t.again}
        </button>
      </div>
      <Alert text={problem} />
    </form>
  )
}
