import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { KIT_TRUST } from '../../evidence/kit-trust.ts'
import { Card } from '../../parts/blocks.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { Problem } from '../problem.tsx'
import { useAllowed } from '../session.tsx'

interface StoredPin {
  readonly issuer: string
  readonly kid: string
  readonly created_at?: string
}

const PINS = ['pins']

/** The keys of other issuers that kits among the evidence are verified with. */
export function PinnedIssuers() {
  const allowed = useAllowed('settings')
  const queries = useQueryClient()
  const [issuer, setIssuer] = useState('')
  const [kid, setKid] = useState('')
  const { data } = useQuery({ queryKey: PINS, queryFn: () => api.getTrust() })
  const saving = useMutation({
    mutationFn: (changed: readonly StoredPin[]) => api.setTrust(changed),
    onSuccess: async (saved) => {
      queries.setQueryData(PINS, saved)
      setIssuer('')
      setKid('')
      await queries.invalidateQueries({ queryKey: KIT_TRUST })
    },
  })
  const t = texts.console.settings.pins
  const pins = data?.data ?? []
  return (
    <Card title={t.title}>
      <p className="quiet">{t.hint}</p>
      {pins.map((pin) => (
        <div className="row" key={`${pin.issuer} ${pin.kid}`}>
          <span>{pin.issuer}</span>
          <Code value={pin.kid} what={t.kid} />
          {allowed.is && (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t.removeLabel(pin.issuer)}
              onClick={() => saving.mutate(pins.filter((other) => other !== pin))}
            >
              {t.remove}
            </Button>
          )}
        </div>
      ))}
      {pins.length === 0 && <p>{t.none}</p>}
      {saving.error !== null && <Problem error={saving.error} />}
      {allowed.is && (
        <form
          className="fields"
          onSubmit={(event) => {
            event.preventDefault()
            saving.mutate([...pins, { issuer: issuer.trim(), kid: kid.trim() }])
          }}
        >
          <TextInput
            label={t.issuer}
            description={t.issuerHint}
            type="url"
            required
            value={issuer}
            onChange={({ currentTarget }) => setIssuer(currentTarget.value)}
          />
          <TextInput
            label={t.kid}
            description={t.kidHint}
            required
            pattern="[A-Za-z0-9_\-]{43}"
            value={kid}
            onChange={({ currentTarget }) => setKid(currentTarget.value)}
          />
          <div className="row">
            <Button type="submit" loading={saving.isPending}>
              {t.add}
            </Button>
          </div>
        </form>
      )}
    </Card>
  )
}
