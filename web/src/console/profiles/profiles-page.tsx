import { Button } from '@mantine/core'
import type { ProfileList } from '@kitseal/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { documentOf, type ProfileDocument, PROFILES, useProfileList } from '../../evidence/profiles.ts'
import { ProfileChecklist } from '../../evidence/profile-checklist.tsx'
import { Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Table } from '../../parts/table.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { Loading, Problem } from '../problem.tsx'
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
  const queries = useQueryClient()
  const removing = useMutation({
    mutationFn: (profile: string) => api.deleteProfile(profile),
    onSuccess: async () => {
      setUnwanted(undefined)
      await queries.invalidateQueries({ queryKey: PROFILES })
    },
  })
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
          <div className="with-reason">
            <Button
              leftSection={<Icon name="plus" />}
              disabled={!allowed.is}
              onClick={() => edit(NEW_PROFILE, true)}
            >
              {t.new}
            </Button>
            {allowed.why !== undefined && <p className="quiet">{allowed.why}</p>}
          </div>
        }
      />
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
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
          <Table
            columns={[
              t.columns.title,
              t.columns.items,
              t.columns.source,
              { name: t.columns.actions, of: 'actions' },
            ]}
          >
            <tbody>
              {(list.data?.data ?? []).map((one) => (
                <tr key={one.profile}>
                  <td className="long">
                    <strong>{one.title}</strong>
                    <span className="below quiet">{one.description}</span>
                    <code className="quiet">{one.profile}</code>
                  </td>
                  <td className="quiet nowrap">{t.items(one.items.length)}</td>
                  <td className="quiet nowrap">{t.sources[one.source]}</td>
                  <td className="actions">
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
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        </section>
      )}
      {shown?.is === 'preview' && <Preview document={shown.document} />}
      <ConfirmDialog
        title={t.removeTitle(unwanted?.title ?? '')}
        text={t.removeText}
        action={t.remove}
        isOpen={unwanted !== undefined}
        mutation={removing}
        onConfirm={() => unwanted !== undefined && removing.mutate(unwanted.profile)}
        onClose={() => setUnwanted(undefined)}
      />
    </>
  )
}

const NOTHING = { is: 'nothing' } as const

/** What the upload page shows. */
export function Preview({ document }: { readonly document: ProfileDocument }) {
  return (
    <section aria-label={texts.console.profiles.preview}>
      <h2>
        {texts.console.profiles.preview}: {document.title}
      </h2>
      <ProfileChecklist profile={document} files={[]} check={NOTHING} isFixed onChange={() => undefined} />
    </section>
  )
}
