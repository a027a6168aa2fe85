import type { ProfileList } from '@kitseal/client'
import { t } from '../../core/texts.ts'
import { Dialog, openDialog } from '../../parts/ask.tsx'
import { Card, Empty, Heading } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { List } from '../../parts/list.tsx'
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
export function ProfilesPage() {
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
      <Card className="flush">
        <List
          query={list}
          rows={list.data?.data ?? []}
          empty={<Empty icon="check" title={t('console.profiles.none')} />}
          keyOf={({ profile }) => profile}
          columns={[
            {
              name: t('console.profiles.columns.title'),
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
              name: t('console.profiles.columns.items'),
              className: 'quiet nowrap',
              cell: ({ items }) => t('console.profiles.items', { count: items.length }),
            },
            {
              name: t('console.profiles.columns.source'),
              className: 'quiet nowrap',
              cell: ({ source }) => t(`console.profiles.sources.${source}`),
            },
            {
              name: t('console.profiles.columns.actions'),
              of: 'actions',
              cell: (one) => <Actions profile={one} mayChange={mayChange} />,
            },
          ]}
        />
      </Card>
    </>
  )
}

interface ActionsProps {
  readonly profile: Listed
  readonly mayChange: boolean
}

function Actions({ profile, mayChange }: ActionsProps) {
  const isOwn = profile.source === 'workspace'
  const document = documentOf(profile)
  const common = { look: 'quiet', size: 'small', subject: profile.title } as const
  return (
    <>
      <Button {...common} onClick={() => previewProfile(document)}>
        {t('console.profiles.preview')}
      </Button>
      {mayChange && isOwn && (
        <Button {...common} onClick={() => editProfile(document, false)}>
          {t('console.profiles.edit')}
        </Button>
      )}
      {mayChange && !isOwn && (
        <Button
          {...common}
          onClick={() => editProfile({ ...document, profile: `${document.profile}-copy` }, true)}
        >
          {t('console.profiles.copy')}
        </Button>
      )}
      {mayChange && isOwn && (
        <Button
          {...common}
          className="danger"
          onClick={() =>
            askChange({
              title: t('console.profiles.removeTitle', { title: profile.title }),
              text: t('console.profiles.removeText'),
              action: t('console.profiles.remove'),
              isDangerous: true,
              stale: PROFILES,
              run: () => api.deleteProfile(profile.profile),
            })
          }
        >
          {t('console.profiles.remove')}
        </Button>
      )}
    </>
  )
}

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
    initial: { json: JSON.stringify(document, null, 2) },
    fields: () => [
      { name: 'json', label: t('console.profiles.json'), is: 'area', rows: 20, isRequired: true },
    ],
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
