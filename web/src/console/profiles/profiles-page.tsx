import { Button } from '@mantine/core'
import type { ProfileList } from '@kitseal/client'
import { useState } from 'react'
import { documentOf, type ProfileDocument, PROFILES, useProfileList } from './profiles.ts'
import { ProfileChecklist } from '../../upload/profile-checklist.tsx'
import { Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { RowTable } from '../../parts/table.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../dialogs.tsx'
import { QueryState } from '../problem.tsx'
import { RowButton } from '../row-button.tsx'
import { useAllowed } from '../session.tsx'
import { NEW_PROFILE, ProfileEditor } from './profile-editor.tsx'

type Listed = ProfileList['data'][number]
type Shown =
  | { readonly is: 'editor'; readonly document: ProfileDocument; readonly isNew: boolean }
  | { readonly is: 'preview'; readonly document: ProfileDocument }

/** The profiles of the workspace and of the service. */
export function ProfilesPage() {
  const list = useProfileList()
  const allowed = useAllowed('profiles')
  const [shown, setShown] = useState<Shown>()
  const [unwanted, setUnwanted] = useState<Listed>()
  const edit = (document: ProfileDocument, isNew: boolean): void => {
    setShown({ is: 'editor', document, isNew })
    window.scrollTo(0, 0)
  }
  return (
    <>
      <Heading
        title={t('console.titles.profiles')}
        lead={t('console.profiles.lead')}
        actions={
          allowed.is ? (
            <Button leftSection={<Icon name="plus" />} onClick={() => edit(NEW_PROFILE, true)}>
              {t('console.profiles.new')}
            </Button>
          ) : (
            <p className="quiet">{allowed.why}</p>
          )
        }
      />
      <QueryState query={list} />
      {shown?.is === 'editor' && (
        <ProfileEditor
          key={`${shown.document.profile} ${shown.isNew}`}
          initial={shown.document}
          isNew={shown.isNew}
          onDone={() => setShown(undefined)}
        />
      )}
      {shown?.is !== 'editor' && (
        <section className="card flush" aria-label={t('console.titles.profiles')}>
          <RowTable
            rows={list.data?.data ?? []}
            keyOf={({ profile }) => profile}
            columns={[
              {
                name: t('console.profiles.columns.title'),
                of: 'titles',
                cell: ({ title, description, profile }) => (
                  <>
                    <strong>{title}</strong>
                    <span className="below quiet">{description}</span>
                    <code className="quiet">{profile}</code>
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
                cell: (one) => (
                  <>
                    <RowButton
                      text={t('console.profiles.preview')}
                      subject={one.title}
                      isDangerous={false}
                      onClick={() => setShown({ is: 'preview', document: documentOf(one) })}
                    />
                    {allowed.is && (
                      <RowButton
                        text={
                          one.source === 'workspace' ? t('console.profiles.edit') : t('console.profiles.copy')
                        }
                        subject={one.title}
                        isDangerous={false}
                        onClick={() =>
                          one.source === 'workspace'
                            ? edit(documentOf(one), false)
                            : edit({ ...documentOf(one), profile: `${one.profile}-copy` }, true)
                        }
                      />
                    )}
                    {allowed.is && one.source === 'workspace' && (
                      <RowButton
                        text={t('console.profiles.remove')}
                        subject={one.title}
                        onClick={() => setUnwanted(one)}
                      />
                    )}
                  </>
                ),
              },
            ]}
          />
        </section>
      )}
      {shown?.is === 'preview' && <Preview document={shown.document} />}
      {unwanted !== undefined && (
        <ConfirmDialog
          title={t('console.profiles.removeTitle', { title: unwanted.title })}
          text={t('console.profiles.removeText')}
          action={t('console.profiles.remove')}
          stale={PROFILES}
          run={() => api.deleteProfile(unwanted.profile)}
          onClose={() => setUnwanted(undefined)}
        />
      )}
    </>
  )
}

const NOTHING = { is: 'nothing' } as const

/** What the upload page shows. */
export function Preview({ document }: { readonly document: ProfileDocument }) {
  return (
    <section aria-label={t('console.profiles.preview')}>
      <h2>
        {t('console.profiles.preview') + t('common.colon')}
        {document.title}
      </h2>
      <ProfileChecklist profile={document} files={[]} check={NOTHING} isFixed onChange={() => undefined} />
    </section>
  )
}
