import { Menu } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { Dialog } from '../dialogs.tsx'
import { Problem } from '../problem.tsx'
import { ME, useMe } from '../session.tsx'
import { signIn } from '../sign-in/passkeys.ts'
import { rememberWorkspace } from './remembered-workspaces.ts'

/** The name of the workspace. Opens a menu of the others: those of the session at once, those of this browser with a passkey. */
export function WorkspaceMenu() {
  const me = useMe()
  const { workspace, member, workspaces } = me
  const queries = useQueryClient()
  const remembered = useMemo(() => rememberWorkspace(me), [me])
  const switching = useMutation({
    mutationFn: (workspaceId: string | undefined) =>
      workspaceId === undefined ? signIn() : api.switchWorkspace(workspaceId),
    onSuccess: (switched) => {
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] })
      queries.setQueryData(ME, switched)
    },
  })
  /** The overview exists in every workspace. Leaving the page asks first if files are chosen. */
  const start = (workspaceId: string | undefined): void => {
    navigate('/console')
    if (location.pathname === '/console') switching.mutate(workspaceId)
  }
  const others = workspaces.filter(({ workspace_id }) => workspace_id !== workspace.workspace_id)
  const known = new Set(workspaces.map(({ workspace_id }) => workspace_id))
  return (
    <>
      <Menu
        position="bottom-end"
        width={280}
        withInitialFocusPlaceholder={false}
        transitionProps={{ duration: 80 }}
      >
        <Menu.Target>
          <button
            type="button"
            className="workspace-button"
            aria-label={t('console.workspaces.button', { name: workspace.name })}
          >
            <span className="workspace-name">{workspace.name}</span>
            <Icon name="chevron" size={14} className="icon turned" />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{member.email}</Menu.Label>
          <Menu.Item leftSection={<Icon name="check" />} onClick={() => navigate('/console')}>
            {workspace.name}
            <span className="below quiet">{t(`console.roles.names.${member.role}`)}</span>
          </Menu.Item>
          {others.map(({ workspace_id, name, role }) => (
            <Menu.Item
              key={workspace_id}
              leftSection={<span className="no-icon" />}
              onClick={() => start(workspace_id)}
            >
              {name}
              <span className="below quiet">{t(`console.roles.names.${role}`)}</span>
            </Menu.Item>
          ))}
          {remembered
            .filter(({ workspace_id }) => !known.has(workspace_id))
            .map(({ workspace_id, name }) => (
              <Menu.Item
                key={workspace_id}
                leftSection={<Icon name="key" />}
                onClick={() => start(undefined)}
              >
                {name}
                <span className="below quiet">{t('console.workspaces.byPasskey')}</span>
              </Menu.Item>
            ))}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="gear" />} onClick={() => navigate('/console/settings')}>
            {t('console.workspaces.settings')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {switching.error !== null && (
        <Dialog title={t('console.workspaces.failed')} onClose={() => switching.reset()}>
          <Problem error={switching.error} />
        </Dialog>
      )}
    </>
  )
}
