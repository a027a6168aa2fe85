import { Heading } from '../../parts/blocks.tsx'
import { texts } from '../../texts/index.ts'
import { useMe } from '../session.tsx'
import { Passkeys } from './passkeys.tsx'
import { PersonCard } from './person.tsx'
import { Sessions } from './sessions.tsx'

export function AccountPage() {
  const { member } = useMe()
  const t = texts.console.account
  return (
    <>
      <Heading
        title={texts.console.titles.account}
        lead={t.lead(member.email, texts.console.roles.names[member.role])}
      />
      <PersonCard />
      <Passkeys />
      <Sessions />
    </>
  )
}
