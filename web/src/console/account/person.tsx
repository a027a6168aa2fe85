import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Card } from '../../parts/blocks.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { Form, useFields } from '../form.tsx'
import { Problem } from '../problem.tsx'
import { ME, useMe } from '../session.tsx'

/** The member's own name and address. */
export function PersonCard() {
  const { member, session } = useMe()
  const queries = useQueryClient()
  const { values, text } = useFields({ name: member.name ?? '', email: member.email })
  const [name, email] = [values.name.trim(), values.email.trim()]
  const saving = useMutation({
    mutationFn: () =>
      api.changePerson({
        ...(name === '' ? {} : { name }),
        ...(email === member.email ? {} : { email }),
      }),
    onSuccess: (me) => queries.setQueryData(ME, me),
  })
  const isChanged = (name !== '' && name !== member.name) || email.toLowerCase() !== member.email
  return (
    <Card title={t('console.account.person.title')}>
      <Form className="fields" onSubmit={() => saving.mutate()}>
        <TextInput
          label={t('console.account.person.name')}
          maxLength={100}
          autoComplete="name"
          {...text('name')}
        />
        {session.method === 'oidc' ? (
          <p className="quiet">{t('console.account.person.fixed', { email: member.email })}</p>
        ) : (
          <TextInput
            label={t('console.account.person.email')}
            description={t('console.account.person.emailHint')}
            type="email"
            required
            maxLength={254}
            autoComplete="email"
            {...text('email')}
          />
        )}
        {saving.error !== null && <Problem error={saving.error} />}
        <div className="row">
          <Button type="submit" loading={saving.isPending} disabled={!isChanged}>
            {t('console.settings.save')}
          </Button>
          <span className="quiet" role="status">
            {saving.isSuccess && !isChanged ? t('console.settings.saved') : ''}
          </span>
        </div>
      </Form>
    </Card>
  )
}
