import { Checkbox, NumberInput, PasswordInput, Select, TextInput } from '@mantine/core'
import { t } from '../../core/texts.ts'
import { useFields } from '../form.tsx'
import { useMe } from '../session.tsx'

export const LIVES = ['1', '7', '14', '30', '90', '365'] as const
export const inDays = (days: string): string =>
  new Date(Date.now() + Number(days) * 24 * 60 * 60_000).toISOString()

/** What every share and room is created with: for whom, how long, and how often. */
export function useLinkFields() {
  const { values, text, choice, given } = useFields({
    days: '14' as (typeof LIVES)[number],
    to: '',
    note: '',
    password: '',
    limit: '' as number | string,
    isNotified: false,
  })
  const { days, to, note, password, limit, isNotified } = values
  const { sends_mail: sendsMail } = useMe()
  const recipients = to.split(/[\s,;]+/).filter((address) => address !== '')
  const inputs = (
    <>
      <TextInput
        label={t('console.shares.to')}
        description={t('console.shares.toHint')}
        maxLength={5000}
        inputMode="email"
        autoComplete="off"
        {...text('to')}
      />
      <p className="quiet" role="status">
        {recipients.length === 0
          ? password === ''
            ? t('console.shares.forAnyone')
            : t('console.shares.forAnyoneWithPassword')
          : sendsMail
            ? t('console.shares.willMail')
            : t('console.shares.noMail')}
      </p>
      <Select
        label={t('console.shares.life')}
        data={LIVES.map((value) => ({ value, label: t(`console.shares.lives.${value}`) }))}
        {...choice('days')}
      />
      <TextInput
        label={t('console.shares.note')}
        description={t('console.shares.noteHint')}
        maxLength={500}
        {...text('note')}
      />
    </>
  )
  const options = (
    <details className="more">
      <summary>{t('console.shares.options')}</summary>
      <div className="fields">
        <PasswordInput
          label={t('console.shares.password')}
          description={t('console.shares.passwordHint')}
          minLength={8}
          maxLength={200}
          autoComplete="new-password"
          {...text('password')}
        />
        <LimitFields limit={given('limit')} notify={given('isNotified')} />
      </div>
    </details>
  )
  return {
    inputs,
    options,
    /** The text of the button. */
    action: t(sendsMail ? 'console.shares.send' : 'console.shares.create', { recipients: recipients.length }),
    body: {
      expires_at: inDays(days),
      ...(recipients.length === 0 ? {} : { recipients }),
      ...(note.trim() === '' ? {} : { note: note.trim() }),
      ...(password === '' ? {} : { password }),
      ...(limit === '' ? {} : { max_downloads: Number(limit) }),
      ...(isNotified ? { notify_downloads: true } : {}),
    },
  }
}

interface Field<Value> {
  readonly value: Value
  onChange(value: Value): void
}

interface LimitFieldsProps {
  readonly limit: Field<number | string>
  readonly notify: Field<boolean>
}

/** How often a share may be used, and whether its use is mailed. */
export function LimitFields({ limit, notify }: LimitFieldsProps) {
  const { sends_mail: sendsMail } = useMe()
  return (
    <>
      <NumberInput
        label={t('console.shares.limit')}
        description={t('console.shares.limitHint')}
        min={1}
        max={1_000_000}
        allowDecimal={false}
        {...limit}
      />
      {sendsMail && (
        <Checkbox
          label={t('console.shares.notify')}
          description={t('console.shares.notifyHint')}
          checked={notify.value}
          onChange={({ currentTarget }) => notify.onChange(currentTarget.checked)}
        />
      )}
    </>
  )
}
