import { Checkbox, MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ProfileDocument } from './profiles.ts'
import { t } from '../../core/texts.ts'

export interface PolicyFieldsProps {
  readonly profile: ProfileDocument
  onChange(profile: ProfileDocument): void
}

/** What the profile asks beyond the rules for all evidence. */
export function PolicyFields({ profile, onChange }: PolicyFieldsProps) {
  const rules = useQuery({ queryKey: ['rules'], queryFn: loosableRules, staleTime: Infinity })
  const { evidence_policy, finding_classes = {}, ...rest } = profile
  const change = (isExaminedOnly: boolean, classes: NonNullable<ProfileDocument['finding_classes']>): void =>
    onChange({
      ...rest,
      ...(isExaminedOnly ? { evidence_policy: 'examined_only' } : {}),
      ...(Object.keys(classes).length === 0 ? {} : { finding_classes: classes }),
    })
  const isExaminedOnly = evidence_policy === 'examined_only'
  const strict = Object.keys(finding_classes).filter((code) => finding_classes[code] === 'danger')
  return (
    <fieldset className="profile-item">
      <legend>{t('console.profiles.policy.title')}</legend>
      <div className="fields">
        <Checkbox
          label={t('console.profiles.policy.examinedOnly')}
          description={t('console.profiles.policy.examinedOnlyHint')}
          checked={isExaminedOnly}
          onChange={({ currentTarget }) => change(currentTarget.checked, finding_classes)}
        />
        <MultiSelect
          label={t('console.profiles.policy.strict')}
          description={t('console.profiles.policy.strictHint')}
          placeholder={strict.length === 0 ? t('console.profiles.policy.strictNone') : undefined}
          searchable
          clearable
          maxDropdownHeight={260}
          data={rules.data ?? strict}
          value={strict}
          onChange={(codes) => {
            const kept = Object.entries(finding_classes).filter(([, asked]) => asked !== 'danger')
            change(isExaminedOnly, {
              ...Object.fromEntries(kept),
              ...Object.fromEntries(codes.map((code) => [code, 'danger' as const])),
            })
          }}
        />
      </div>
    </fieldset>
  )
}

/** Rules that do not block a submission by themselves. Loaded on demand, with the rest of the evidence rules. */
async function loosableRules(): Promise<{ readonly value: string; readonly label: string }[]> {
  const { RULES } = await import('@kitseal/examiner')
  return Object.entries(RULES)
    .filter(([code, rule]) => rule.class !== 'danger' && !code.startsWith('more_'))
    .map(([value, { message }]) => ({ value, label: message.replace(/\.$/, '') }))
}
