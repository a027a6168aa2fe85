import { Button } from '@mantine/core'
import { fetchHere } from '../../core/fetch-json.ts'
import { Alert } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../core/texts.ts'
import { ProgressView } from '../../verify/progress-view.tsx'
import { useKitCheck } from '../../verify/use-kit-check.ts'
import { VerdictNotice } from '../../verify/verdict-notice.tsx'
import '../../styles/verify.css'

/** Downloads the kit into the browser and verifies it there. */
export function KitCheck({ url, kitId }: { readonly url: string; readonly kitId: string }) {
  const { state, isLoading, verify, reset } = useKitCheck(async () => (await fetchHere(url)).blob())
  if (state.is === 'running') return <ProgressView {...state} onStop={() => reset()} />
  if (state.is === 'done')
    return <VerdictNotice result={state.result} kitId={kitId} how={t('request.kit.details')} />
  return (
    <>
      <Alert text={state.problem} />
      <Button
        className="kit-check"
        variant="default"
        loading={isLoading}
        leftSection={<Icon name="shield" />}
        onClick={verify}
      >
        {t('request.kit.verify')}
      </Button>
    </>
  )
}
