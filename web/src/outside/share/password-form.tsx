import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../core/error-message.ts'
import { fetchJson } from '../../core/fetch-json.ts'
import { PublicFrame } from '../../parts/frame.tsx'
import { Alert, Heading } from '../../parts/blocks.tsx'
import { t } from '../../core/texts.ts'

export interface PasswordFormProps {
  readonly base: string
  onUnlocked(): void
}

/** Asks for the password of a share. */
export function PasswordForm({ base, onUnlocked }: PasswordFormProps) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const unlock = (event: FormEvent): void => {
    event.preventDefault()
    setIsBusy(true)
    fetchJson(`${base}/unlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password }),
    })
      .then(onUnlocked, (error: unknown) => setProblem(messageOf(error)))
      .finally(() => setIsBusy(false))
  }
  return (
    <PublicFrame isOutside title={t('share.password.title')}>
      <Heading title={t('share.password.title')} lead={t('share.password.lead')} />
      <form className="outside-form" onSubmit={unlock}>
        <label htmlFor="password" className="strong">
          {t('share.password.label')}
        </label>
        <input
          id="password"
          type="password"
          className="text-field"
          autoComplete="off"
          autoFocus
          required
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        <Alert text={problem} />
        <Button type="submit" loading={isBusy}>
          {t('share.password.open')}
        </Button>
      </form>
    </PublicFrame>
  )
}
