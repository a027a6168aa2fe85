import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Seal } from '../../parts/icons.tsx'
import { PublicFrame } from '../../parts/frame.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { Loading, Problem } from '../problem.tsx'

/** `/console/choose-workspace`: which workspace single sign-on opens. */
export function ChoosePage() {
  const asked = useQuery({
    queryKey: ['choices'],
    queryFn: () => api.listWorkspaceChoices(),
    retry: false,
    staleTime: Infinity,
  })
  const choosing = useMutation({
    mutationFn: (workspaceId: string) => api.chooseWorkspace(workspaceId),
    onSuccess: ({ return_to }) => location.assign(return_to),
  })
  const error = asked.error ?? choosing.error
  return (
    <PublicFrame title={t('console.choose.title')}>
      <div className="door card">
        <Seal size={44} />
        <h1>{t('console.choose.title')}</h1>
        {asked.isPending && <Loading />}
        {asked.data !== undefined && (
          <p className="quiet">{t('console.choose.lead', { email: asked.data.email })}</p>
        )}
        {error === null &&
          asked.data?.choices.map(({ workspace_id, name, role, is }) => (
            <div key={workspace_id}>
              <Button
                size="md"
                fullWidth
                variant={is === 'member' ? 'filled' : 'default'}
                loading={choosing.isPending && choosing.variables === workspace_id}
                onClick={() => choosing.mutate(workspace_id)}
              >
                {is === 'invited' ? t('console.choose.join', { workspace: name }) : name}
              </Button>
              <p className="quiet">
                {is === 'linked' ? t('console.choose.linked') : t('console.choose.role', { role })}
              </p>
            </div>
          ))}
        {error !== null && (
          <>
            <Problem error={error} />
            <a href="/console">{t('console.invite.toSignIn')}</a>
          </>
        )}
      </div>
    </PublicFrame>
  )
}
