import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { fetchJson } from '../fetch-json.ts'
import { OutsiderFrame } from '../outside/outsider-frame.tsx'
import { Heading, Notice } from '../parts/blocks.tsx'
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
  const unlock = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setIsBusy(true)
    const answer = await fetchJson(`${base}/unlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password }),
    })
    setIsBusy(false)
    if (answer.ok) return onUnlocked()
    return setProblem(answer.message)
  }
  return (
    <OutsiderFrame title={t.title}>
      <Heading title={t.title} lead={t.lead} />
      <form className="outside-form" onSubmit={(event) => void unlock(event)}>
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
        {problem !== undefined && (
          <Notice tone="fail" isAlert>
            {problem}
          </Notice>
        )}
        <Button type="submit" loading={isBusy}>
          {t.open}
        </Button>
      </form>
    </OutsiderFrame>
  )
}
