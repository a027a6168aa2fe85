import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listed } from '@kitseal/kit/in-browser/words'
import { Card, Facts } from '../../parts/blocks.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { Form } from '../form.tsx'
import { Problem } from '../problem.tsx'
import { ME, useAllowed, useMe } from '../session.tsx'

/** The name of the workspace, and who vouches for it. */
export function WorkspaceName() {
  const { workspace } = useMe()
  const allowed = useAllowed('settings')
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const naming = useMutation({
    mutationFn: (wanted: string) => api.changeWorkspace({ name: wanted }),
    onSuccess: (me) => {
      queries.setQueryData(ME, me)
      setName('')
    },
  })
  const wanted = name.trim()
  return (
    <Card title={t('console.settings.name.title')}>
      <Facts
        facts={[
          {
            name: t('console.settings.name.current'),
            value: listed([workspace.name, t(`console.settings.name.namedBy.${workspace.named_by}`)]),
          },
        ]}
      />
      <p className="quiet">{t('console.settings.name.hint')}</p>
      {allowed.is && (
        <Form className="fields" onSubmit={() => naming.mutate(wanted)}>
          <TextInput
            label={t('console.settings.name.change')}
            description={
              workspace.named_by === 'operator' ? t('console.settings.name.unconfirms') : undefined
            }
            value={name}
            required
            maxLength={200}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          {naming.error !== null && <Problem error={naming.error} />}
          <div className="row">
            <Button
              type="submit"
              loading={naming.isPending}
              disabled={wanted === '' || wanted === workspace.name}
            >
              {t('console.settings.name.save')}
            </Button>
          </div>
        </Form>
      )}
    </Card>
  )
}
