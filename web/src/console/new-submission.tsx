import { Button } from '@mantine/core'
import { Icon } from '../parts/icons.tsx'
import { navigate } from '../core/router.tsx'
import { t } from '../core/texts.ts'
import { useAllowed } from './session.tsx'

/** The button of the upload page, or why there is none. */
export function NewSubmission() {
  const allowed = useAllowed('submit')
  if (!allowed.is) return <p className="quiet">{allowed.why}</p>
  return (
    <Button leftSection={<Icon name="plus" />} onClick={() => navigate('/console/new')}>
      {t('console.list.new')}
    </Button>
  )
}
