import type { ProfileList } from '@kitseal/client'
import { t } from '../../core/texts.ts'
import { Dialog, openDialog } from '../../parts/ask.tsx'
import { Card, Empty, Heading } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { List, type RowAction } from '../../parts/list.tsx'
import { ProfileChecklist } from '../new/profile-checklist.tsx'
import { api } from '../client.ts'
import { askChange } from '../queries.tsx'
import { useAllowed } from '../session.tsx'
import { documentOf, type ProfileDocument, PROFILES, useProfileList } from './profiles.ts'

type Listed = ProfileList['data'][number]

const NEW: ProfileDocument = {
  profile: 'my-profile',
  title: '',
  description: '',
  items: [{ id: 'item-1', title: '', min_files: 1 }],
}

/** The profiles of the workspace and of the service. */
export default function ProfilesPage() {
  const list = useProfileList()
  const { is: mayChange } = useAllowed('profiles')
  return (
    <>
      <Heading
        title={t('console.titles.profiles')}
        lead={t('console.profiles.lead')}
        actions={
          mayChange && (
            <Button look="main" icon="plus" onClick={() => editProfile(NEW, true)}>
              {t('console.profiles.new')}
            </Button>
          )
        }
      />
      <Card>
        <List
          query={list}
          rows={list.data?.data ?? []}
          empty={<Empty icon="check" title={t('console.profiles.none')} />}
          subject={({ title }) => title}
          actions={(one) => [
            { text: t('console.profiles.preview'), run: () => previewProfile(documentOf(one)) },
            ...(mayChange ? actionsOf(one) : []),
          ]}
          texts="console.profiles.columns"
          columns={[
            {
              name: 'title',
              of: 'titles',
              className: 'strong',
              cell: ({ title }) => title,
              below: ({ description, profile }) => (
                <>
                  {description} <code>{profile}</code>
                </>
              ),
            },
            {
              name: 'items',
              className: 'quiet',
              cell: ({ items }) => t('console.profiles.items', { count: items.length }),
            },
            {
              name: 'source',
              className: 'quiet',
              cell: ({ source }) => t(`console.profiles.sources.${source}`),
            },
          ]}
        />
      </Card>
    </>
  )
}

const actionsOf = (profile: Listed): readonly RowAction[] =>
  profile.source === 'workspace'
    ? [
        { text: t('console.profiles.edit'), run: () => editProfile(documentOf(profile), false) },
        { text: t('console.profiles.remove'), isDangerous: true, run: () => removeProfile(profile) },
      ]
    : [
        {
          text: t('console.profiles.copy'),
          run: () => editProfile({ ...documentOf(profile), profile: `${profile.profile}-copy` }, true),
        },
      ]

const removeProfile = ({ profile, title }: Listed): void =>
  askChange({
    title: t('console.profiles.removeTitle', { title }),
    text: t('console.profiles.removeText'),
    action: t('console.profiles.remove'),
    isDangerous: true,
    stale: PROFILES,
    run: () => api.deleteProfile(profile),
  })

/** A profile is written as JSON, as in the API. */
const editProfile = (document: ProfileDocument, isNew: boolean): void =>
  askChange({
    title: isNew ? t('console.profiles.new') : document.title,
    text: (
      <p className="quiet">
        <a href="/docs/reference/profiles" target="_blank" rel="noreferrer">
          {t('console.profiles.guide')}
        </a>
      </p>
    ),
    action: t('console.profiles.save'),
    size: 'large',
    stale: PROFILES,
    texts: 'console.profiles',
    initial: { json: JSON.stringify(document, null, 2) },
    fields: () => [{ name: 'json', is: 'area', rows: 20, isRequired: true }],
    run: async ({ json }) => {
      const written = JSON.parse(json) as ProfileDocument
      return isNew ? api.createProfile(written) : api.replaceProfile(document.profile, written)
    },
  })

const NOTHING = { is: 'nothing' } as const

/** What the upload page shows. */
const previewProfile = (document: ProfileDocument): void =>
  openDialog((close) => (
    <Dialog title={document.title} size="large" onClose={close}>
      <ProfileChecklist profile={document} files={[]} check={NOTHING} isFixed onAdd={() => undefined} />
    </Dialog>
  ))
