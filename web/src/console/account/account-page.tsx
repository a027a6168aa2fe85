import { Heading } from '../../parts/blocks.tsx'
import { t } from '../../core/texts.ts'
import { useMe } from '../session.tsx'
import { Passkeys } from './passkeys.tsx'
import { PersonCard } from './person.tsx'
import { Sessions } from './sessions.tsx'

export function AccountPage() {
  const { member } = useMe()
  return (
    <>
      <Heading
        title={t('console.titles.account')}
        lead={t('console.account.lead', { email: member.email, role: member.role })}
      />
      <PersonCard />
      <Passkeys />
      <Sessions />
    </>
  )
}
