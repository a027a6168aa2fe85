import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Card, Facts, Notice } from '../../parts/blocks.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { Form } from '../form.tsx'
import { Problem } from '../problem.tsx'
import { ME, useAllowed, useMe } from '../session.tsx'

/** The name of the workspace, and the one that an owner proposes. */
export function WorkspaceName() {
  const { workspace } = useMe()
  const allowed = useAllowed('settings')
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const proposing = useMutation({
    mutationFn: (proposed_name: string | null) => api.changeWorkspace({ proposed_name }),
    onSuccess: (me) => {
      queries.setQueryData(ME, me)
      setName('')
    },
  })
  const t = texts.console.settings.name
  const { proposed_name: proposed } = workspace
  const wanted = name.trim()
  return (
    <Card title={t.title}>
      <Facts facts={[{ name: t.current, value: workspace.name }]} />
      <p className="quiet">{t.hint}</p>
      {proposed !== null && (
        <Notice tone="info" title={t.waiting(proposed)}>
          <p>{t.waitingHint}</p>
          {allowed.is && (
            <Button variant="default" loading={proposing.isPending} onClick={() => proposing.mutate(null)}>
              {t.withdraw}
            </Button>
          )}
        </Notice>
      )}
      {allowed.is && (
        <Form className="fields" onSubmit={() => proposing.mutate(wanted)}>
          <TextInput
            label={t.propose}
            value={name}
            required
            maxLength={200}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          {proposing.error !== null && <Problem error={proposing.error} />}
          <div className="row">
            <Button
              type="submit"
              loading={proposing.isPending}
              disabled={wanted === '' || wanted === workspace.name || wanted === proposed}
            >
              {t.send}
            </Button>
          </div>
        </Form>
      )}
    </Card>
  )
}
