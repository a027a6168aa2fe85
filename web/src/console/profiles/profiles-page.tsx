import { Button } from '@mantine/core'
import type { ProfileList } from '@kitseal/client'
import { useState } from 'react'
import { documentOf, type ProfileDocument, PROFILES, useProfileList } from '../../evidence/profiles.ts'
import { ProfileChecklist } from '../../evidence/profile-checklist.tsx'
import { Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { RowTable } from '../../parts/table.tsx'
import { texts } from '../../texts/index.ts'
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
  const t = texts.console.profiles
  const edit = (document: ProfileDocument, isNew: boolean): void => {
    setShown({ is: 'editor', document, isNew })
    window.scrollTo(0, 0)
  }
  return (
    <>
      <Heading
        title={texts.console.titles.profiles}
        lead={t.lead}
        actions={
          allowed.is ? (
            <Button leftSection={<Icon name="plus" />} onClick={() => edit(NEW_PROFILE, true)}>
              {t.new}
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
        <section className="card flush" aria-label={texts.console.titles.profiles}>
          <RowTable
            rows={list.data?.data ?? []}
            keyOf={({ profile }) => profile}
            columns={[
              {
                name: t.columns.title,
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
                name: t.columns.items,
                className: 'quiet nowrap',
                cell: ({ items }) => t.items(items.length),
              },
              {
                name: t.columns.source,
                className: 'quiet nowrap',
                cell: ({ source }) => t.sources[source],
              },
              {
                name: t.columns.actions,
                of: 'actions',
                cell: (one) => (
                  <>
                    <RowButton
                      text={t.preview}
                      subject={one.title}
                      isDangerous={false}
                      onClick={() => setShown({ is: 'preview', document: documentOf(one) })}
                    />
                    {allowed.is && (
                      <RowButton
                        text={one.source === 'workspace' ? t.edit : t.copy}
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
                      <RowButton text={t.remove} subject={one.title} onClick={() => setUnwanted(one)} />
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
          title={t.removeTitle(unwanted.title)}
          text={t.removeText}
          action={t.remove}
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
    <section aria-label={texts.console.profiles.preview}>
      <h2>
        {texts.console.profiles.preview + texts.colon}
        {document.title}
      </h2>
      <ProfileChecklist profile={document} files={[]} check={NOTHING} isFixed onChange={() => undefined} />
    </section>
  )
}
