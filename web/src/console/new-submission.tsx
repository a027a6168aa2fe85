import { Button } from '@mantine/core'
import { Icon } from '../parts/icons.tsx'
import { navigate } from '../router.tsx'
import { texts } from '../texts/index.ts'
import { useAllowed } from './session.tsx'

/** The button of the upload page, or why it is disabled. */
export function NewSubmission() {
  const allowed = useAllowed('submit')
  return (
    <div className="with-reason">
      <Button
        leftSection={<Icon name="plus" />}
        disabled={!allowed.is}
        onClick={() => navigate('/console/new')}
      >
        {texts.console.list.new}
      </Button>
      {allowed.why !== undefined && <p className="quiet">{allowed.why}</p>}
    </div>
  )
}
