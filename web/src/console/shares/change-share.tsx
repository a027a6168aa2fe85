import { Checkbox, PasswordInput, Select } from '@mantine/core'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../core/readable.ts'
import { rich, t } from '../../core/texts.ts'
import { FormDialog } from '../dialogs.tsx'
import { useFields } from '../form.tsx'
import { inDays, LimitFields, LIVES } from './link-fields.tsx'
import type { Linked } from './linked.ts'
import { SHARES } from './shares-key.ts'

export interface ShareOf {
  readonly share: Linked
  onClose(): void
}

/** Changes how long a share works, its password, its limit and who is told of downloads. The links stay the same. */
export function ChangeShare({ share, onClose }: ShareOf) {
  const { values, set, text, choice, given } = useFields({
    days: '' as '' | (typeof LIVES)[number],
    password: '',
    isOpen: false,
    limit: (share.max_downloads ?? '') as number | string,
    isNotified: share.notify_downloads,
  })
  const { days, password, isOpen, limit, isNotified } = values
  const wanted = limit === '' ? null : Number(limit)
  const body = {
    ...(days === '' ? {} : { expires_at: inDays(days) }),
    ...(wanted === share.max_downloads ? {} : { max_downloads: wanted }),
    ...(isNotified === share.notify_downloads ? {} : { notify_downloads: isNotified }),
    ...(isOpen ? { password: null } : password === '' ? {} : { password }),
  }
  return (
    <FormDialog
      title={t('console.shares.change.title', { label: nameText(share.label) })}
      action={t('console.settings.save')}
      stale={SHARES}
      isReady={Object.keys(body).length > 0}
      run={() => share.change(body)}
      onClose={onClose}
    >
      <Select
        label={t('console.shares.change.life')}
        description={rich('console.shares.change.now', { time: <Time at={share.expires_at} /> })}
        data={[
          { value: '', label: t('console.shares.change.keep') },
          ...LIVES.map((value) => ({
            value,
            label: t('console.shares.change.fromNow', { life: t(`console.shares.lives.${value}`) }),
          })),
        ]}
        {...choice('days')}
      />
      <PasswordInput
        label={share.has_password ? t('console.shares.change.newPassword') : t('console.shares.password')}
        description={t('console.shares.passwordHint')}
        minLength={8}
        maxLength={200}
        autoComplete="new-password"
        disabled={isOpen}
        {...text('password')}
      />
      {share.has_password && (
        <Checkbox
          label={t('console.shares.change.noPassword')}
          checked={isOpen}
          onChange={({ currentTarget }) => set({ isOpen: currentTarget.checked })}
        />
      )}
      <LimitFields limit={given('limit')} notify={given('isNotified')} />
    </FormDialog>
  )
}
