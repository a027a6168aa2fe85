import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../error-message.ts'
import { fetchJson } from '../fetch-json.ts'
import { OutsiderFrame } from '../outside/outsider-frame.tsx'
import { Alert, Heading } from '../parts/blocks.tsx'
import { texts } from '../texts/index.ts'

export interface PasswordFormProps {
  readonly base: string
  onUnlocked(): void
}

/** Asks for the password of a share. */
export function PasswordForm({ base, onUnlocked }: PasswordFormProps) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const t = texts.share.password
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
    <OutsiderFrame title={t.title}>
      <Heading title={t.title} lead={t.lead} />
      <form className="outside-form" onSubmit={unlock}>
        <label htmlFor="password" className="strong">
          {t.label}
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
          {t.open}
        </Button>
      </form>
    </OutsiderFrame>
  )
}
